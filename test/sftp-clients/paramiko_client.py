"""Runs paramiko against the server and prints one line an operation."""

import os

import paramiko

image = os.environ["IMAGE"]
content = open(image, "rb").read()
transport = paramiko.Transport(("127.0.0.1", int(os.environ["SFTP_PORT"])))
transport.connect(username=os.environ["SFTP_USER"], password=os.environ["SFTP_PASSWORD"])
sftp = paramiko.SFTPClient.from_transport(transport)


def act(name, work):
    try:
        work()
        print(f"{name}: done")
    except Exception as error:
        print(f"{name}: failed: {error!r}")


def upload_into_new_folder():
    sftp.mkdir("DCIM")
    sftp.mkdir("DCIM/100")
    sftp.put(image, "DCIM/100/sent.jpg")


def listed():
    assert sftp.listdir("DCIM/100") == ["sent.jpg"]


def resume():
    size = sftp.stat("resumed.jpg").st_size
    with sftp.open("resumed.jpg", "r+") as file:
        file.seek(size)
        file.write(content[size:])


def append():
    size = sftp.stat("appended.jpg").st_size
    with sftp.open("appended.jpg", "a") as file:
        file.write(content[size:])


def download():
    sftp.get("/done/kept.jpg", "got.jpg")
    assert open("got.jpg", "rb").read() == content


def rename():
    sftp.put(image, "renamed.tmp")
    sftp.posix_rename("renamed.tmp", "renamed.jpg")


act("upload", lambda: sftp.put(image, "sent.jpg"))
act("upload into a new folder", upload_into_new_folder)
act("list", listed)
act("resume an upload", resume)
act("append to an upload", append)
act("download", download)
act("rename", rename)
act("delete", lambda: sftp.remove("/incoming/old.jpg"))
transport.close()
