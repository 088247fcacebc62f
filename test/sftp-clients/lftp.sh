. "$(dirname "$0")/acts.sh"
set="set sftp:connect-program \"ssh -a -x $SSH_OPTIONS\"; set net:timeout 20; set net:max-retries 2; set cmd:fail-exit yes"
go() { lftp --norc -c "$set; open -u $SFTP_USER,$SFTP_PASSWORD -p $SFTP_PORT sftp://127.0.0.1; cd /incoming; $1"; }
act upload go "put $IMAGE -o sent.jpg"
act 'upload into a new folder' go "mkdir -p DCIM/100; put $IMAGE -o DCIM/100/sent.jpg"
listed() { go 'ls DCIM/100' | grep -q ' sent.jpg$'; }
act list listed
mkdir -p tree/sub && cp "$IMAGE" tree/one.jpg && cp "$IMAGE" tree/sub/two.jpg
act 'upload a folder, with times' go 'mirror -R tree mirrored'
act 'mirror it again' go 'mirror -R -e tree mirrored'
act 'resume an upload' go "put -c $IMAGE -o resumed.jpg"
fetched() { go 'get /done/kept.jpg -o got.jpg' && same got.jpg "$IMAGE"; }
act download fetched
refetched() { head -c 1000 "$IMAGE" >part.jpg && go 'get -c /done/kept.jpg -o part.jpg' && same part.jpg "$IMAGE"; }
act 'resume a download' refetched
act rename go "put $IMAGE -o renamed.tmp; mv renamed.tmp renamed.jpg"
act delete go 'rm /incoming/old.jpg'
