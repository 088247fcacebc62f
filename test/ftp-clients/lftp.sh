. "$(dirname "$0")/acts.sh"
case $MODE in
  'plain, PASV') set='set ftp:ssl-allow no; set ftp:prefer-epsv no' ;;
  'plain, EPSV' | 'plain, IPv6') set='set ftp:ssl-allow no; set ftp:prefer-epsv yes' ;;
  'TLS control only') set='set ftp:ssl-force yes; set ftp:ssl-protect-data no; set ftp:ssl-protect-list no' ;;
  *) set='set ftp:ssl-force yes; set ftp:ssl-protect-data yes; set ftp:ssl-protect-list yes' ;;
esac
set="$set; set ssl:verify-certificate no; set net:timeout 10; set net:max-retries 2; set cmd:fail-exit yes"
go() { lftp --norc -c "$set; open -u $FTP_USER,$FTP_PASSWORD -p $FTP_PORT ftp://$FTP_HOST; $1"; }
act upload go "put $IMAGE -o sent.jpg"
act 'upload into a new folder' go "mkdir -p DCIM/100; put $IMAGE -o DCIM/100/sent.jpg"
listed() { go 'ls DCIM/100' | grep -q ' sent.jpg$'; }
act list listed
named() { [ "$(go 'nlist DCIM/100')" = DCIM/100/sent.jpg ]; }
act 'list names' named
mkdir -p tree/sub && cp "$IMAGE" tree/one.jpg && cp "$IMAGE" tree/sub/two.jpg
act 'mirror a folder' go 'mirror -R tree mirrored'
act 'mirror it again' go 'mirror -R -e tree mirrored'
act 'resume an upload' go "put -c $IMAGE -o resumed.jpg"
fetched() { go 'get /done/kept.jpg -o got.jpg' && same got.jpg "$IMAGE"; }
act download fetched
refetched() { head -c 1000 "$IMAGE" >part.jpg && go 'get -c /done/kept.jpg -o part.jpg' && same part.jpg "$IMAGE"; }
act 'resume a download' refetched
act rename go "put $IMAGE -o renamed.tmp; mv renamed.tmp renamed.jpg"
act delete go 'rm /incoming/old.jpg'
