/** Entries of a context and of a branch of it: messages, reasoning, edits of a file, a failed tool, usage. */
export function twoWays(): { readonly importer: string; readonly 'importer-2': string } {
  const startedAt = Math.floor(Date.now() / 1000) - 7200
  const uuid = (n: number) => `5b1d0c00-0000-4000-8000-0000000000${n}`
  const line = (n: number, more: object) =>
    JSON.stringify({
      id: uuid(n),
      timestamp: startedAt + n * 20,
      from: 'user',
      to: 'importer',
      ...more,
    })
  const say = (n: number, content: string) =>
    line(n, { content, entry_type: 'message', role: 'user' })
  const answer = (n: number, content: string, tokens: number, reasoning?: string) =>
    line(n, {
      from: 'importer',
      to: 'user',
      content,
      entry_type: 'message',
      role: 'agent',
      metadata: {
        model: 'claude-sonnet-4.5',
        usage: { input: tokens - 200, output: 200, total: tokens, cost: tokens / 100_000 },
        ...(reasoning === undefined ? {} : { reasoning }),
      },
    })
  const edit = (n: number, before: string, now: string) =>
    line(n, {
      from: 'importer',
      to: 'edit_file',
      content: JSON.stringify({
        path: 'station/importer.py',
        old_string: before,
        new_string: now,
      }),
      entry_type: 'tool_call',
      tool_call_id: `c${n}`,
    })
  const result = (n: number, of: number, content: string) =>
    line(n, { from: 'edit_file', content, entry_type: 'tool_result', tool_call_id: `c${of}` })
  const anchor = (n: number, origin?: object) =>
    line(n, {
      content: 'Context created',
      entry_type: 'context_created',
      ...(origin ? { metadata: { origin } } : {}),
    })
  const shared = [
    say(11, 'The nightly import skips an hour. Read the importer.'),
    answer(12, 'It reads one file per station and drops rows that it has seen.', 2100),
  ]
  const old = 'stamp = datetime.strptime(row["time"], FMT)\nif stamp <= last_seen:'
  const text = (lines: readonly string[]) => `${lines.join('\n')}\n`
  return {
    importer: text([
      anchor(10),
      ...shared,
      say(13, 'Find out why and fix it, without touching rows that are already stored.'),
      answer(
        14,
        'The parser is fine; the **duplicate check** dropped the rows. It compared local times, and when the clocks go back 02:00 to 02:59 happens twice. Times are now compared in UTC; stored rows stay as they are.',
        3412,
        'The clocks went back on that night. I look at the comparison first.',
      ),
      edit(15, old, 'stamp = parse_utc(row["time"], row["offset"])\nif stamp <= last_seen_utc:'),
      result(16, 15, 'Wrote station/importer.py.'),
      answer(
        17,
        'The dry run reads 90,000 rows: 3,600 new, 0 changed. No migration is needed.',
        3600,
      ),
      say(18, 'Thank you.'),
    ]),
    'importer-2': text([
      anchor(20, { source: 'chibi', key: 'importer', entry: uuid(12), entries: 2 }),
      ...shared,
      say(23, 'Find out why and fix it; you may add a column.'),
      answer(
        24,
        'The parser is fine; the **duplicate check** dropped the rows. It lost the offset, and when the clocks go back 02:00 to 02:59 happens twice. Times are now stored with their offset; stored rows get +01:00 or +02:00 by date.',
        4020,
        'The clocks went back on that night. A column for the offset keeps both.',
      ),
      edit(25, old, 'stamp = local(row["time"], row["offset"])\nif (stamp, offset) <= last_seen:'),
      result(26, 25, 'Error: the file was changed meanwhile'),
      answer(
        27,
        'The dry run reads 90,000 rows: 3,600 new, 86,400 changed. The migration takes about 40 seconds and locks the table.',
        4400,
      ),
      say(28, 'Thank you.'),
      say(29, 'Then write the migration, and a test for the night of the change.'),
    ]),
  }
}
