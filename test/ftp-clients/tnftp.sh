. "$(dirname "$0")/acts.sh"
case $MODE in
  'plain, PASV') first='epsv4 off' ;;
  'plain, IPv6') first='epsv6 on' ;;
  *) first='epsv4 on' ;;
esac
host=$(echo "$FTP_HOST" | tr -d '[]')
# It ends well whatever the server says; a line that begins with 4 or 5 is a refusal.
go() {
  output=$(printf 'user %s %s\n%s\nbinary\n%s\nquit\n' "$FTP_USER" "$FTP_PASSWORD" "$first" "$1" |
    timeout 20 tnftp -nv -p "$host" "$FTP_PORT" 2>&1)
  echo "$output"
  echo "$output" | grep -q '^230 ' && ! echo "$output" | grep -qE '^[45][0-9][0-9] '
}
act upload go "put $IMAGE sent.jpg"
act 'upload into a new folder' go "mkdir DCIM
mkdir DCIM/100
put $IMAGE DCIM/100/sent.jpg"
listed() { go 'dir DCIM/100' | grep -q ' sent.jpg'; }
act list listed
named() { go 'nlist DCIM/100' | grep -q '^DCIM/100/sent.jpg'; }
act 'list names' named
sized() { go 'size sent.jpg' | grep -q "$(wc -c <"$IMAGE")"; }
act size sized
tail -c +1001 "$IMAGE" >rest.jpg
act 'resume an upload' go 'append rest.jpg resumed.jpg'
fetched() { go 'get /done/kept.jpg got.jpg' && same got.jpg "$IMAGE"; }
act download fetched
refetched() { head -c 1000 "$IMAGE" >part.jpg && go 'reget /done/kept.jpg part.jpg' && same part.jpg "$IMAGE"; }
act 'resume a download' refetched
act rename go "put $IMAGE renamed.tmp
rename renamed.tmp renamed.jpg"
act delete go 'delete /incoming/old.jpg'
