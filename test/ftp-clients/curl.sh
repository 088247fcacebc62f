. "$(dirname "$0")/acts.sh"
case $MODE in
  'plain, PASV') set -- --disable-epsv ;;
  'plain, EPSV' | 'plain, IPv6') set -- ;;
  'TLS control only') set -- --ftp-ssl-control --insecure ;;
  *) set -- --ssl-reqd --insecure ;;
esac
url=ftp://$FTP_USER:$FTP_PASSWORD@$FTP_HOST:$FTP_PORT
go() { curl -sS --max-time 20 "$@"; }
act upload go "$@" -T "$IMAGE" "$url/sent.jpg"
act 'upload by the line that drops create prints' go "$@" -T "$IMAGE" "$url/incoming/"
act 'upload into a new folder' go "$@" --ftp-create-dirs -T "$IMAGE" "$url/DCIM/100/sent.jpg"
listed() { go "$@" "$url/DCIM/100/" | grep -q ' sent.jpg$'; }
act list listed "$@"
named() { [ "$(go "$@" -l "$url/DCIM/100/" | tr -d '\r')" = sent.jpg ]; }
act 'list names' named "$@"
sized() { go "$@" -I "$url/sent.jpg" | grep -q "Content-Length: $(wc -c <"$IMAGE")"; }
act size sized "$@"
act 'resume an upload' go "$@" -C - -T "$IMAGE" "$url/resumed.jpg"
fetched() { go "$@" -o got.jpg "$url//done/kept.jpg" && same got.jpg "$IMAGE"; }
act download fetched "$@"
refetched() { head -c 1000 "$IMAGE" >part.jpg && go "$@" -C - -o part.jpg "$url//done/kept.jpg" && same part.jpg "$IMAGE"; }
act 'resume a download' refetched "$@"
act rename go "$@" -T "$IMAGE" -Q '-RNFR renamed.tmp' -Q '-RNTO renamed.jpg' "$url/renamed.tmp"
act delete go "$@" -Q '-DELE /incoming/old.jpg' "$url/"
