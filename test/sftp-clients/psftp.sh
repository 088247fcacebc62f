. "$(dirname "$0")/acts.sh"
# It trusts a key by its fingerprint.
key=$(ssh-keyscan -p "$SFTP_PORT" -t ed25519 127.0.0.1 2>/dev/null | cut -d ' ' -f 2- | ssh-keygen -lf - | cut -d ' ' -f 2)
go() { echo "$1" | tr ';' '\n' >script && psftp -batch -hostkey "$key" -be -b script -P "$SFTP_PORT" -pw "$SFTP_PASSWORD" "$SFTP_USER@127.0.0.1"; }
act upload go "put $IMAGE sent.jpg"
act 'upload into a new folder' go "mkdir DCIM;mkdir DCIM/100;put $IMAGE DCIM/100/sent.jpg"
listed() { go 'ls DCIM/100' | grep -q ' sent.jpg'; }
act list listed
act 'resume an upload' go "reput $IMAGE resumed.jpg"
fetched() { go 'get /done/kept.jpg got.jpg' && same got.jpg "$IMAGE"; }
act download fetched
refetched() { head -c 1000 "$IMAGE" >part.jpg && go 'reget /done/kept.jpg part.jpg' && same part.jpg "$IMAGE"; }
act 'resume a download' refetched
act rename go "put $IMAGE renamed.tmp;mv renamed.tmp renamed.jpg"
act delete go 'del /incoming/old.jpg'
