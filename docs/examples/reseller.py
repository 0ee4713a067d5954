import email.utils, http.client, json, os, sys, time, urllib.error, urllib.parse, urllib.request, uuid
from datetime import datetime, timedelta, timezone

BASE_URL = os.environ.get('KEYPORT_URL', 'http://127.0.0.1:8080')
TIMEOUT_SECONDS = 30  # longer than the service itself waits for a payment provider (10 s)
ATTEMPTS_MAX = 6
AGAIN = (408, 409, 429, 500, 502, 503, 504)
token = {'value': '', 'ends_at': 0.0}


def send(request):
    """Status, headers and body of the response, whatever its status."""
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            return response.status, response.headers, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, error.headers, json.load(error)


def get_token():
    if time.time() < token['ends_at']:
        return token['value']
    form = {
        'grant_type': 'client_credentials',
        'client_id': os.environ['CLIENT_ID'],
        'client_secret': os.environ['CLIENT_SECRET'],
    }
    url = BASE_URL + '/oauth/token'
    status, _, body = send(urllib.request.Request(url, urllib.parse.urlencode(form).encode()))
    if status in AGAIN:
        raise OSError(f'no token: {status} {body}')
    if status != 200:
        raise RuntimeError(f'no token: {status} {body}')
    token.update(value=body['access_token'], ends_at=time.time() + body['expires_in'] - 60)
    return token['value']


def call(method, path, headers=None, body=None):
    for attempt in range(1, ATTEMPTS_MAX + 1):
        wait = 0.25 * 2**attempt
        try:
            authorization = {'Authorization': f'Bearer {get_token()}'}
            data = None if body is None else body.encode()
            request = urllib.request.Request(
                BASE_URL + path, data, {**(headers or {}), **authorization}, method=method
            )
            status, received, answer = send(request)
            if status == 401 and attempt == 1:
                token['ends_at'] = 0.0
            elif status not in AGAIN:
                return status, received, answer
            wait = max(wait, float(received.get('Retry-After') or 0))
            problem = answer
        except (OSError, http.client.HTTPException, ValueError) as error:
            # No response, or a damaged one: the request may or may not have arrived. A retry is safe and returns the result.
            problem = error
        if attempt == ATTEMPTS_MAX:
            raise RuntimeError(f'{method} {path} failed: {problem}')
        time.sleep(wait)

WAIT_SECONDS = 25
# Store the cursor and the products together. An empty cursor starts from the beginning.
shop = {'cursor': '', 'products': {}}
# A new copy, read from the beginning. It replaces the old one when it is complete.
following = None


def take_changes():
    """Applies the changes after the cursor; waits a while if there are none."""
    global shop, following
    picture = following or shop
    query = {'limit': 1000, 'wait': WAIT_SECONDS}
    if picture['cursor']:
        query['cursor'] = picture['cursor']
    status, _, body = call('GET', '/export/v1/product-offers/changes?' + urllib.parse.urlencode(query))
    if status != 200:
        raise RuntimeError(body)
    meta = body['meta']
    if not picture['cursor'] or meta['restarted']:
        picture = following = {'cursor': '', 'products': {}}
    for change in body['data']:
        if change.get('removed'):
            picture['products'].pop(change['id'], None)
        else:
            picture['products'][change['id']] = change
    picture['cursor'] = meta['nextCursor']
    if not meta['hasMore']:
        shop, following = picture, None
    # Store shop here, unless a new copy is being filled.
    return len(body['data']), meta['hasMore']


def follow(on_news):
    """Never ends. Calls on_news when products have changed."""
    while True:
        try:
            count, has_more = take_changes()
            if count > 0 and not has_more:
                on_news()
            if count == 0:
                time.sleep(1)
        except Exception as error:
            # The cursor is still the one from the last response that was applied.
            print(error, file=sys.stderr)
            time.sleep(10)

OVERLAP = timedelta(seconds=10)
WINDOW_END = timedelta(seconds=5)
products = {}


def get_page(filters, page):
    query = urllib.parse.urlencode({**filters, 'page': page, 'itemsPerPage': 100})
    status, headers, body = call('GET', f'/export/v1/product-offers?{query}')
    if status != 200:
        raise RuntimeError(body)
    return headers, body['data'], body['meta']


def remember(changed):
    for product in changed:
        known = products.get(product['id'])
        # The timestamps have the same length and format, so they can be compared as text.
        if known is None or known['updatedAt'] < product['updatedAt']:
            products[product['id']] = product


def poll(cursor):
    """Reads the changes since the cursor, and returns the next cursor. '' reads everything."""
    start = {} if cursor == '' else {'updatedAtFrom': before(parse_time(cursor), OVERLAP)}
    headers, data, meta = get_page(start, 1)
    if not meta['hasNext']:
        remember(data)
        return max([cursor] + [product['updatedAt'] for product in data])
    # The server's clock determines the window, not ours.
    to = before(email.utils.parsedate_to_datetime(headers['Date']), WINDOW_END)
    window = {**start, 'updatedAtTo': to}
    _, _, meta = get_page(window, 1)
    for page in range(-(-meta['totalResults'] // 100), 0, -1):
        remember(get_page(window, page)[1])
    return max(cursor, to)


def before(moment, span):
    return (moment - span).astimezone(timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.%fZ')


def parse_time(text):
    return datetime.strptime(text, '%Y-%m-%dT%H:%M:%S.%fZ').replace(tzinfo=timezone.utc)

def place_order(item, key):
    headers = {'Content-Type': 'application/json', 'Idempotency-Key': key}
    status, _, answer = call('POST', '/export/v1/orders', headers, json.dumps({'items': [item]}))
    if status in (200, 201):
        return wait_until_done(answer['data'])
    error = answer['error']
    if error['code'] == 'order-not-paid':
        # The order exists and waits for its payment: ordering again would buy twice.
        return wait_until_done(get_order(error['data']['orderId']))
    raise RuntimeError(f"{error['code']}: {error['message']} (traceId {answer.get('traceId')})")


def get_order(order_id):
    status, _, body = call('GET', f'/export/v1/orders/{order_id}')
    if status != 200:
        raise RuntimeError(body)
    return body['data']


def wait_until_done(order):
    """Returns the order when its status is final, or held: then an operator must act, so read it again later."""
    while order['status'] in ('pending', 'pending_payment', 'processing'):
        time.sleep(2)
        order = get_order(order['id'])
    return order


def get_keys(order_id):
    status, _, body = call('GET', f'/export/v1/orders/{order_id}/keys')
    if status != 200:
        raise RuntimeError(body)
    return [key['code'] for item in body['data'] for key in item['keys']]


if __name__ == '__main__':
    cursor = poll('')
    print(f'{len(products)} products; the next poll begins with {cursor}')
    cheapest = min(products.values(), key=lambda product: float(product['minPrice']))

    key = str(uuid.uuid4())  # store the key before sending the order
    item = {'auto': {'productId': cheapest['id'], 'quantity': 1, 'maxPrice': cheapest['minPrice']}}
    order = place_order(item, key)
    print(f"order {order['id']} is {order['status']}")
    if order['status'] == 'complete':
        print('keys: ' + ', '.join(get_keys(order['id'])))
