"""Files elsewhere: in a bucket of a real S3 server, and behind links of a real web server."""

from __future__ import annotations

import base64
import http.server
import io
import json
import sys
import threading
import urllib.request
from contextlib import contextmanager

import obstore
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rocwalk as rw
from commands import process
from rocwalk.errors import ColumnError, FileError, MissingLibraryError
from s3_server import s3_server
from samples import NO_ADVICE

pytestmark = [*NO_ADVICE]
TEXT = b"y,p\n1,0.9\n0,0.8\n1,0.7\n0,0.1\n"
NAMES = {"label": "y", "score": "p"}


@pytest.fixture(scope="module")
def settings():
    with s3_server() as found, pytest.MonkeyPatch.context() as patch:
        for name, value in found.items():
            patch.setenv(name, value)
        store = obstore.store.from_url("s3://bucket")
        obstore.put(store, "a/x.csv", TEXT)
        obstore.put(store, "a/bad.csv", b"y,p\n1,high\n")
        for k in (0, 1):
            file = io.BytesIO()
            pq.write_table(pa.table({"y": [1, 0], "p": [0.5 + k / 10, 0.2]}), file)
            obstore.put(store, f"lake/part={k}/a.parquet", file.getvalue())
        obstore.put(store, "lake/_SUCCESS", b"")
        yield found


@pytest.fixture
def bucket(settings, monkeypatch):
    for name, value in settings.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("bucket")
def test_an_object():
    assert rw.tallies("s3://bucket/a/x.csv", **NAMES).only.area == 0.75
    assert rw.tallies("s3a://bucket/a/x.csv", **NAMES).only.area == 0.75


@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize("name", ["lake/", "lake", "lake/*/*.parquet", "lake/part=*/a.parquet"])
def test_folders_of_a_bucket_are_columns(name):
    found = rw.tallies(f"s3://bucket/{name}", **NAMES, by="part")
    assert [(group, one.total_count) for (_, (group,)), one in found.items()] == [(0, 2), (1, 2)]


@pytest.mark.usefixtures("bucket")
def test_a_report_names_the_object(tmp_path):
    page = tmp_path / "page.html"
    options = ["--label", "y", "--score", "p", "-o", str(page)]
    answer = process("report", "s3://bucket/a/x.csv", *options)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    written = page.read_text(encoding="utf-8")
    assert "s3://bucket/a/x.csv" in written
    assert "hush-hush" not in written


@pytest.mark.usefixtures("bucket")
def test_errors_name_the_object_and_its_line():
    with pytest.raises(ColumnError, match="at row 0, line 2 of 's3://bucket/a/bad.csv' is 'high'"):
        rw.tallies("s3://bucket/a/bad.csv", **NAMES)


@pytest.mark.usefixtures("bucket")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "s3://bucket/none.csv",
            "'s3://bucket/none.csv' cannot be read: FileNotFound: .*not found",
        ),
        ("s3://none/x.csv", "'s3://none/x.csv' cannot be read: "),
        ("s3://bucket/none/*.csv", "There is no object 's3://bucket/none/*.csv'."),
        ("s3://bucket/none/", "There is no object 's3://bucket/none/'."),
    ],
)
def test_what_is_not_there(name, words):
    with pytest.raises(FileError) as caught:
        rw.tallies(name, **NAMES)
    text = str(caught.value)
    assert words.partition(": .*")[0] in text
    assert "\nHint: check" in text
    assert "hush-hush" not in text


# -- other buckets ---------------------------------------------------------------------------------


def of_google(url):
    key = {"gcs_base_url": url, "disable_oauth": True, "client_email": "", "private_key_id": ""}
    account = json.dumps(key | {"private_key": "hush-hush"})
    return {"GOOGLE_SERVICE_ACCOUNT_KEY": account, "GOOGLE_ALLOW_HTTP": "true"}


def of_azure(url):
    secret = base64.b64encode(b"hush-hush").decode()
    account = {"AZURE_STORAGE_ACCOUNT_NAME": "ann", "AZURE_STORAGE_ACCOUNT_KEY": secret}
    return account | {"AZURE_ENDPOINT": url, "AZURE_ALLOW_HTTP": "true"}


def test_a_bucket_of_google(settings, monkeypatch):
    """Google's XML interface asks for objects and lists them as S3 does, and moto answers both."""
    url = settings["AWS_ENDPOINT_URL"]
    for name, value in of_google(url).items():
        monkeypatch.setenv(name, value)
    for key in ("open/g=0/x.csv", "open/g=1/x.csv"):
        request = urllib.request.Request(f"{url}/bucket/{key}", data=TEXT, method="PUT")
        request.add_header("x-amz-acl", "public-read")
        request.add_header("Content-Type", "text/csv")
        urllib.request.urlopen(request, timeout=60).close()
    for scheme in ("gs", "gcs"):
        assert rw.tallies(f"{scheme}://bucket/open/g=0/x.csv", **NAMES).only.area == 0.75
    for name in ("open/", "open/*/x.csv"):
        assert rw.tallies(f"gs://bucket/{name}", **NAMES).only.total_count == 8
    for name, words in {
        "a/x.csv": "PermissionDenied: The operation lacked the necessary privileges",
        "open/none.csv": "FileNotFound: ",
    }.items():
        with pytest.raises(FileError) as caught:
            rw.tallies(f"gs://bucket/{name}", **NAMES)
        assert f"'gs://bucket/{name}' cannot be read: {words}" in str(caught.value)
        assert "hush-hush" not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "made"), [("gs://bucket/x.csv", of_google), ("az://bucket/x.csv", of_azure)]
)
def test_a_store_that_nobody_answers_for(address, made, monkeypatch):
    for name, value in made("http://127.0.0.1:9").items():
        monkeypatch.setenv(name, value)
    with pytest.raises(FileError) as caught:
        rw.tallies(address, **NAMES)
    text = str(caught.value)
    assert text.startswith(f"{address!r} cannot be read: ")
    assert "Connection refused" in text
    assert "\nHint: check the address" in text
    assert "hush-hush" not in text
    assert base64.b64encode(b"hush-hush").decode() not in text


def test_without_the_library_its_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "obstore", None)
    with pytest.raises(MissingLibraryError, match=r'pip install "rocwalk\[remote\]"'):
        rw.tallies("s3://bucket/x.csv", **NAMES)


# -- links -----------------------------------------------------------------------------------------


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        given = self.headers.get("Authorization", "")
        expected = "Basic " + base64.b64encode(b"ann:s3cr/t").decode()
        place = self.path.partition("?")[0]
        if place == "/private.csv" and given != expected:
            self.send_error(401)
            return
        if place == "/none.csv":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(TEXT) + (9 if place == "/cut.csv" else 0)))
        self.end_headers()
        self.wfile.write(TEXT)

    def log_message(self, *_):
        pass


@contextmanager
def web():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_links():
    with web() as host:
        assert rw.tallies(f"http://{host}/x.csv", **NAMES).only.area == 0.75
        assert rw.tallies(f"http://{host}/x.csv?signature=abc", **NAMES).only.area == 0.75
        assert rw.tallies(f"http://ann:s3cr%2Ft@{host}/private.csv", **NAMES).only.area == 0.75
        for place, words in {
            "none.csv": "the server says 404 Not Found",
            "private.csv": "the server says 401 Unauthorized",
            "cut.csv": "cannot be read: ",
        }.items():
            with pytest.raises(FileError) as caught:
                rw.tallies(f"http://ann:wr0ng@{host}/{place}?signature=abc", **NAMES)
            assert words in str(caught.value)
            assert "wr0ng" not in str(caught.value)
            assert "signature=abc" not in str(caught.value)
            assert "\nHint: " in str(caught.value)
