. "$(dirname "$0")/acts.sh"
at="sftp://127.0.0.1:$SFTP_PORT"
go() { curl -sS -k --max-time 60 --user "$SFTP_USER:$SFTP_PASSWORD" "$@"; }
act upload go -T "$IMAGE" "$at/incoming/sent.jpg"
act 'upload into a new folder' go --ftp-create-dirs -T "$IMAGE" "$at/incoming/DCIM/100/sent.jpg"
listed() { go "$at/incoming/DCIM/100/" | grep -q ' sent.jpg$'; }
act list listed
act 'resume an upload' go -C - -T "$IMAGE" "$at/incoming/resumed.jpg"
fetched() { go "$at/done/kept.jpg" -o got.jpg && same got.jpg "$IMAGE"; }
act download fetched
act rename go -T "$IMAGE" -Q '-rename /incoming/renamed.tmp /incoming/renamed.jpg' "$at/incoming/renamed.tmp"
act delete go -Q 'rm /incoming/old.jpg' "$at/incoming/" -o /dev/null
