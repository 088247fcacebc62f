. "$(dirname "$0")/acts.sh"
go() { echo "$1" | tr ';' '\n' | sftp $SSH_OPTIONS -P "$SFTP_PORT" -b - "$SFTP_USER@127.0.0.1"; }
act upload go "put $IMAGE sent.jpg"
act 'upload into a new folder' go "mkdir DCIM;mkdir DCIM/100;put $IMAGE DCIM/100/sent.jpg"
listed() { go 'ls -l DCIM/100' | grep -q 'sent.jpg$'; }
act list listed
mkdir -p tree/sub && cp "$IMAGE" tree/one.jpg && cp "$IMAGE" tree/sub/two.jpg
act 'upload a folder, with times' go 'put -rp tree'
act 'resume an upload' go "reput $IMAGE resumed.jpg"
act 'append to an upload' go "put -a $IMAGE appended.jpg"
act 'sync to disk' go "put -f $IMAGE synced.jpg"
fetched() { go 'get /done/kept.jpg got.jpg' && same got.jpg "$IMAGE"; }
act download fetched
refetched() { head -c 1000 "$IMAGE" >part.jpg && go 'reget /done/kept.jpg part.jpg' && same part.jpg "$IMAGE"; }
act 'resume a download' refetched
act rename go "put $IMAGE renamed.tmp;rename renamed.tmp renamed.jpg"
act delete go 'rm /incoming/old.jpg'
act 'free space' go df
