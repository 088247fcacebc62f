. "$(dirname "$0")/acts.sh"
drop="$SFTP_USER@127.0.0.1"
go() { scp $SSH_OPTIONS -P "$SFTP_PORT" "$@"; }
act upload go "$IMAGE" "$drop:sent.jpg"
mkdir -p DCIM/100 && cp "$IMAGE" DCIM/100/sent.jpg
act 'upload a folder, with times' go -rp DCIM "$drop:"
act 'upload into a folder' go "$IMAGE" "$drop:/incoming/DCIM/100/renamed.jpg"
fetched() { go "$drop:/done/kept.jpg" got.jpg && same got.jpg "$IMAGE"; }
act download fetched
refused() { go -O "$IMAGE" "$drop:legacy.jpg" 2>&1 | grep -q 'scp without -O'; }
act 'the protocol of before SFTP is refused with the reason' refused
shell() { ssh $SSH_OPTIONS -p "$SFTP_PORT" "$drop" 2>&1 | grep -q 'Only SFTP'; }
act 'a shell is refused with the reason' shell
