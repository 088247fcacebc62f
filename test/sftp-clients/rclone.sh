. "$(dirname "$0")/acts.sh"
export RCLONE_CONFIG=/dev/null
at=":sftp,host=127.0.0.1,port=$SFTP_PORT,user=$SFTP_USER,pass=$(rclone obscure "$SFTP_PASSWORD"):"
go() { rclone --retries 1 "$@"; }
act upload go copyto "$IMAGE" "$at/incoming/sent.jpg"
act 'upload into a new folder' go copyto "$IMAGE" "$at/incoming/DCIM/100/sent.jpg"
listed() { [ "$(go lsf "$at/incoming/DCIM/100")" = sent.jpg ]; }
act list listed
mkdir -p tree/sub && cp "$IMAGE" tree/one.jpg && cp "$IMAGE" tree/sub/two.jpg
act 'upload a folder, with times' go copy tree "$at/incoming/mirrored"
act 'mirror it again' go --size-only copy tree "$at/incoming/mirrored"
fetched() { go copyto "$at/done/kept.jpg" got.jpg && same got.jpg "$IMAGE"; }
act download fetched
moved() { go copyto "$IMAGE" "$at/incoming/renamed.tmp" && go moveto "$at/incoming/renamed.tmp" "$at/incoming/renamed.jpg"; }
act rename moved
act delete go deletefile "$at/incoming/old.jpg"
act 'free space' go about "$at"
