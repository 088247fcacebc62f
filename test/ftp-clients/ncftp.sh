. "$(dirname "$0")/acts.sh"
set -- -u "$FTP_USER" -p "$FTP_PASSWORD" -P "$FTP_PORT"
export HOME=$PWD
cp "$IMAGE" sent.jpg
cp "$IMAGE" resumed.jpg
act upload ncftpput "$@" -V -t 20 "$FTP_HOST" . sent.jpg
act 'upload into a new folder' ncftpput "$@" -V -m -t 20 "$FTP_HOST" DCIM/100 sent.jpg
listed() { ncftpls "$@" -l -t 20 "ftp://$FTP_HOST/DCIM/100/" | grep -q 'sent.jpg'; }
act list listed "$@"
named() { [ "$(ncftpls "$@" -1 -t 20 "ftp://$FTP_HOST/DCIM/100/")" = sent.jpg ]; }
act 'list names' named "$@"
act 'resume an upload' ncftpput "$@" -V -z -t 20 "$FTP_HOST" . resumed.jpg
fetched() { ncftpget "$@" -V -t 20 "$FTP_HOST" . /done/kept.jpg && same kept.jpg "$IMAGE"; }
act download fetched "$@"
refetched() { head -c 1000 "$IMAGE" >kept.jpg && ncftpget "$@" -V -z -t 20 "$FTP_HOST" . /done/kept.jpg && same kept.jpg "$IMAGE"; }
act 'resume a download' refetched "$@"
cp "$IMAGE" renamed.jpg
act rename ncftpput "$@" -V -T '' -S .tmp -t 20 "$FTP_HOST" . renamed.jpg
deleted() { ncftpls "$@" -t 20 -W 'DELE /incoming/old.jpg' "ftp://$FTP_HOST/" >/dev/null; }
act delete deleted "$@"
