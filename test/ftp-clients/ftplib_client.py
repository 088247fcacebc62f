import ftplib
import io
import os
import ssl

mode = os.environ['MODE']
image = open(os.environ['IMAGE'], 'rb').read()
if mode.startswith('TLS'):
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    ftp = ftplib.FTP_TLS(context=context, timeout=10)
else:
    ftp = ftplib.FTP(timeout=10)
ftp.connect(os.environ['FTP_HOST'].strip('[]'), int(os.environ['FTP_PORT']))
ftp.login(os.environ['FTP_USER'], os.environ['FTP_PASSWORD'])
if mode == 'TLS control only':
    ftp.prot_c()
elif mode.startswith('TLS'):
    ftp.prot_p()


def act(name, work):
    try:
        work()
        print(f'{name}: done')
    except Exception as error:
        print(f'{name}: failed: {error!r}')


def store(name, content=image, **options):
    said = ftp.storbinary(f'STOR {name}', io.BytesIO(content), **options)
    assert said.startswith('226'), said


def store_below():
    ftp.mkd('DCIM')
    ftp.mkd('DCIM/100')
    store('DCIM/100/sent.jpg')


def list_lines():
    lines = []
    ftp.retrlines('LIST DCIM/100', lines.append)
    assert len(lines) == 1 and lines[0].endswith(' sent.jpg'), lines


def list_facts():
    [(name, facts)] = ftp.mlsd('DCIM/100')
    assert (name, facts['size'], facts['type']) == ('sent.jpg', str(len(image)), 'file'), (name, facts)


def fetch(name='/done/kept.jpg', rest=None):
    got = io.BytesIO(image[: rest or 0])
    got.seek(rest or 0)
    ftp.retrbinary(f'RETR {name}', got.write, rest=rest)
    assert got.getvalue() == image


def resume():
    there = ftp.size('resumed.jpg')
    store('resumed.jpg', image[there:], rest=there)


def rename():
    store('renamed.tmp')
    ftp.rename('renamed.tmp', 'renamed.jpg')


def names():
    assert ftp.nlst('DCIM/100') == ['DCIM/100/sent.jpg'], ftp.nlst('DCIM/100')


def abort():
    ftp.voidcmd('TYPE I')
    data = ftp.transfercmd('STOR aborted.jpg')
    data.sendall(b'half')
    said = ftp.abort()
    assert said[:3] in ('426', '226'), said
    if said.startswith('426'):
        ftp.voidresp()
    data.close()


act('upload', lambda: store('sent.jpg'))
act('upload into a new folder', store_below)
act('list', list_lines)
act('list names', names)
act('list facts', list_facts)
act('size', lambda: ftp.size('sent.jpg') == len(image) or 1 / 0)
act('resume an upload', resume)
act('download', fetch)
act('resume a download', lambda: fetch(rest=1000))
act('rename', rename)
act('delete', lambda: ftp.delete('/incoming/old.jpg'))
act('abort', abort)
ftp.quit()
