#!/bin/sh
# The PostgreSQL image runs this once, when its volume is empty.
set -eu
password=$(cat /run/secrets/keyport_password)
psql -v ON_ERROR_STOP=1 -v password="$password" --username postgres <<'SQL'
CREATE ROLE keyport LOGIN PASSWORD :'password';
CREATE DATABASE keyport OWNER keyport ENCODING 'UTF8' TEMPLATE template0;
SQL
