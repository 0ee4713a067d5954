<?php

// Written by scripts/php-contract.ts from the contract. Do not edit.

declare(strict_types=1);

namespace Keyport\Resources;

use Keyport\CallOptions;
use Keyport\Feed;
use Keyport\Internal\Resource;
use Keyport\Internal\Text;

/**
 * `$keyport->events()`
 *
 * @phpstan-import-type Event from \Keyport\Types
 * @phpstan-import-type EventType from \Keyport\Types
 */
final class Events extends Resource
{
    /**
     * Follow the events of your orders and your account. Every event since the cursor, in commit order, of all or
     * some types. Without a cursor: from the oldest event that is kept. Events are kept for 30 days. An earlier
     * cursor repeats events, and no event is ever skipped. An extension of the specified interface.
     *
     * @param array{cursor?: string, limit?: int, wait?: int, types?: list<EventType>} $query
     * @return Feed<Event>
     */
    public function list(array $query = [], ?CallOptions $options = null): Feed
    {
        return new Feed($this->transport, '/export/v1/events', 'id', false, $query, $options);
    }

    /**
     * Get one event. The same event as in the list, for 30 days. An extension of the specified interface.
     *
     * @return Event
     */
    public function get(string $eventId, ?CallOptions $options = null): array
    {
        /** @var Event $data */
        $data = $this->transport->read('/export/v1/events/' . Text::segment('eventId', $eventId), [], $options);
        return $data;
    }
}
