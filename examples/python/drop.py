"""Uploads an image to a drop by FTP with TLS and prints the keywords that were written into it.

KEY=lyn_… DROP=1001 DROP_KEY=lyn_… python3 drop.py photo.jpg

DROP and DROP_KEY are the id of the drop and its password, which "drops create" and the page Drops show. KEY, the key of
the account, is for asking what became of the file.
FTP_CERTIFICATE: the certificate of the FTP server, where no authority signed it; without it authorities are asked.
"""

import ftplib
import os
import ssl
import sys
import time

import requests

if len(sys.argv) != 2:
    sys.exit(__doc__)
for name in ("KEY", "DROP", "DROP_KEY"):
    if not os.environ.get(name):
        sys.exit(f"Set {name}:\n{__doc__}")

base_url = os.environ.get("BASE_URL", "http://127.0.0.1:8080").rstrip("/")
drop = f"{base_url}/api/drops/{os.environ['DROP']}"
session = requests.Session()
session.headers["X-API-Key"] = os.environ["KEY"]


def get(url, **query):
    """The answer; an error ends the program with its detail, which says what to correct."""
    response = session.get(url, params=query, timeout=70)
    answer = response.json()
    if not response.ok:
        sys.exit(answer["detail"])
    return answer


path = sys.argv[1]
name = f"{int(time.time())}-{os.path.basename(path)}"
server = get(drop)["ftp"]
if server["port"] is None:
    sys.exit("the service has no FTP port: set LYNCEUS_FTP_PORT")

certificate = os.environ.get("FTP_CERTIFICATE")
trust = ssl.create_default_context(cafile=certificate)
# That certificate and no other, whatever the host is called.
trust.check_hostname = certificate is None
with ftplib.FTP_TLS(context=trust, timeout=70) as ftp, open(path, "rb") as file:
    ftp.connect(server["host"], server["port"])
    ftp.login(server["user_name"], os.environ["DROP_KEY"])
    # The image by TLS too, and not only the commands.
    ftp.prot_p()
    ftp.storbinary(f"STOR {name}", file)

# The upload is on the disk of the service now, and recognised within seconds.
while True:
    found = get(f"{drop}/files", search=name)["data"][0]
    if found["state"] == "failed":
        sys.exit(found["error"])
    if found["state"] == "done":
        break
    time.sleep(1)
print("keywords:", ", ".join(found["summary"]["keywords"]))
