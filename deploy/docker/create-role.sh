#!/bin/sh
# The image of PostgreSQL runs this once, when its volume is empty: the role and the database of Keyport, no superuser.
set -eu
password=$(cat /run/secrets/keyport_password)
psql -v ON_ERROR_STOP=1 -v password="$password" --username postgres <<'SQL'
CREATE ROLE keyport LOGIN PASSWORD :'password';
CREATE DATABASE keyport OWNER keyport ENCODING 'UTF8' TEMPLATE template0;
SQL
