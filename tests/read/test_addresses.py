"""Addresses: what is one, which table it names, and that no secret of it is shown."""

from __future__ import annotations

import pytest

import rocwalk as rw
from rocwalk.errors import COPIES, File, OptionError
from rocwalk.read.addresses import (
    scheme_of,
    secrets_of,
    shown_address,
    split_table,
    without_secrets,
)

PASSWORD = "s3cr/t @%:x"
WITH_PASSWORD = {
    "url": "postgresql://ann:s3cr%2Ft%20%40%25%3Ax@here:5432/clinic",
    "url with a driver": "postgresql+psycopg://ann:s3cr%2Ft%20%40%25%3Ax@here/clinic",
    "upper case": "POSTGRESQL://ann:s3cr%2Ft%20%40%25%3Ax@here/clinic",
    "not encoded": "postgresql://ann:s3cr/t @%:x@here/clinic",
    "parameter": "postgresql://here/clinic?user=ann&password=s3cr%2Ft%20%40%25%3Ax",
    "settings": "host=here user=ann password='s3cr/t @%:x' dbname=clinic",
    "settings, spaced": "host = here password = 's3cr/t @%:x' dbname = clinic",
    "link": "https://ann:s3cr%2Ft%20%40%25%3Ax@here/x.csv",
    "bucket": "s3://ann:s3cr%2Ft%20%40%25%3Ax@bucket/x.csv",
}


@pytest.mark.parametrize("address", WITH_PASSWORD.values(), ids=list(WITH_PASSWORD))
def test_no_spelling_of_a_password_is_shown(address):
    shown = shown_address(address)
    spellings = {PASSWORD, "s3cr%2Ft%20%40%25%3Ax", "s3cr", "%40%25"}
    assert not [one for one in spellings if one in shown]
    assert "here" in shown or "bucket" in shown
    assert "s3cr" not in repr(rw.source(address))
    assert "s3cr" not in File(address).name
    assert address in COPIES
    words = without_secrets(f"cannot open {address}: {PASSWORD} is wrong", address)
    assert "s3cr" not in words


def test_a_signature_is_a_secret():
    address = "https://here/x.parquet?X-Amz-Signature=abcdef&expires=1"
    assert shown_address(address) == "https://here/x.parquet?***"
    assert "abcdef" in secrets_of(address)


@pytest.mark.parametrize(
    ("text", "scheme"),
    [
        ("postgres://here/x", "postgresql"),
        ("host=here dbname=x", "postgresql"),
        ("service=clinic", "postgresql"),
        ("gs://bucket/x", "gs"),
        ("year=2024/x.parquet", ""),
        ("a=b", ""),
        ("C:/data/x.csv", ""),
        ("x.csv", ""),
    ],
)
def test_what_is_an_address(text, scheme):
    assert scheme_of(text) == scheme


def test_a_file_called_like_settings_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "host=a.csv").write_text("y,p\n1,0.5\n0,0.25\n")
    assert rw.tallies("host=a.csv", label="y", score="p").only.area == 1


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("x.duckdb::t", ("x.duckdb", "t")),
        ("X.DB::a b", ("X.DB", "a b")),
        ("book.xlsx::Sheet 2", ("book.xlsx", "Sheet 2")),
        ("postgresql://here/db::clinic.scores", ("postgresql://here/db", "clinic.scores")),
        ("x.csv::t", ("x.csv::t", None)),
        ("x.db", ("x.db", None)),
        ("x.db::", ("x.db::", None)),
    ],
)
def test_the_table_after_two_colons(text, parts):
    assert split_table(text) == parts


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"address": ""}, "address is a str, not an address."),
        ({"address": 3}, "address is an int, not an address."),
        ({"address": "x.db", "table": ""}, "table='' names nothing."),
        ({"address": "x.db", "query": 7}, "query=7 names nothing."),
        ({"address": "x.db", "table": "t", "query": "q"}, "table and query cannot both be given."),
        (
            {"address": "x.db::a", "table": "b"},
            "::'a' in the address and table='b' name a table each.",
        ),
    ],
)
def test_what_names_no_source(arguments, words):
    with pytest.raises(OptionError) as caught:
        rw.source(**arguments)
    assert str(caught.value).startswith(words + "\nHint: ")


def test_a_source_of_a_source_takes_its_table():
    assert rw.source(rw.source("x.db", table="t")) == rw.source("x.db::t")
