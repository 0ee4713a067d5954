# A receiver of webhooks for Python 3.9 or later, without packages: WEBHOOK_SECRET=whsec_… PORT=3000 python3 webhook_receiver.py
import base64
import hashlib
import hmac
import json
import os
import threading
import time
import traceback
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
done = set()
one_at_a_time = threading.Lock()


def handle(event):
    with one_at_a_time:
        if event["id"] in done:
            return
        # Your work, or a queue for longer work. Note the id after it, or in one transaction with it: if it fails, the event
        # must come again.
        print(event["type"], event["data"].get("order", {}).get("id", ""), flush=True)
        done.add(event["id"])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        status = 400
        if is_genuine(self.headers, body):
            try:
                handle(json.loads(body))
                status = 204
            except Exception:
                traceback.print_exc()
                status = 500
        self.send_response(status)
        self.end_headers()

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
