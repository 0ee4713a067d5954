# A receiver of webhooks for Python 3.9 or later, without packages: WEBHOOK_SECRET=whsec_… PORT=3000 python3 webhook_receiver.py
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = base64.b64decode(os.environ.get("WEBHOOK_SECRET", "").removeprefix("whsec_"))
if not SECRET:
    raise SystemExit("set WEBHOOK_SECRET: with an empty key anyone can sign")
TOLERANCE_SECONDS = 300


def is_genuine(headers, body):
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest()).decode()
    # There are several signatures while secrets overlap.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)


# Use your database: an event arrives again with the same id if your response was lost.
seen = set()


def handle(event):
    if event["id"] in seen:
        return
    seen.add(event["id"])
    # Queue longer work, and respond first.
    print(event["type"], event["data"].get("order", {}).get("id", ""), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(self.headers, body)
        if genuine:
            handle(json.loads(body))
        self.send_response(204 if genuine else 400)
        self.end_headers()

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
