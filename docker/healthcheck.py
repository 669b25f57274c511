"""The container's health check: exits 0 when the gateway inside answers 200 on /healthz."""

import os
import sys
from http.client import HTTPConnection

connection = HTTPConnection("127.0.0.1", int(os.environ["DRAGOMAN_PORT"]), timeout=2)
connection.request("GET", "/healthz")
sys.exit(connection.getresponse().status != 200)
