import fs from 'node:fs'
import path from 'node:path'

/** The files of a home by their path with slashes: texts, or bytes. */
export type HomeFiles = Record<string, string | Uint8Array>

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const lines = (entries: readonly object[]) =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
const pretty = (value: object) => JSON.stringify(value, null, 2)

interface Spoken {
  readonly from: string
  readonly to: string
  readonly content: string
  readonly entry_type: string
  readonly [key: string]: unknown
}

const entry = (n: number, fields: Spoken) => ({
  id: uuid(n),
  timestamp: 1_770_000_000 + n,
  ...fields,
})
const user = (n: number, content: string) =>
  entry(n, { from: 'mira', to: 'garden', content, entry_type: 'message', role: 'user' })
const agent = (n: number, content: string) =>
  entry(n, { from: 'garden', to: 'user', content, entry_type: 'message', role: 'agent' })
const call = (n: number, tool: string, id: string, content: string, type = 'tool_call') =>
  entry(n, { from: 'garden', to: tool, content, entry_type: type, tool_call_id: id })
const result = (n: number, tool: string, id: string, content: string, type = 'tool_result') =>
  entry(n, { from: tool, to: 'garden', content, entry_type: type, tool_call_id: id })
const system = (n: number, type: string, content: string, more: object = {}) =>
  entry(n, { from: 'system', to: 'garden', content, entry_type: type, ...more })

/**
 * A home by hand, with everything that a transcript may hold: written from the description of the format, it is good by
 * every rule. Line numbers of `active.jsonl` stand beside its entries.
 */
export function goodHome(): HomeFiles {
  const archived = [
    system(1, 'context_created', 'Context created'),
    user(2, '[20260202-0230+0000] Wörter'),
    agent(3, 'An answer.\n\u2028🙂'),
    system(4, 'compaction', 'Context compacted', { metadata: { summary: 'They spoke.' } }),
  ]
  const active = [
    user(5, 'Look.'), // 1
    agent(6, 'Looking.'), // 2
    call(7, 'file_head', 'call_a', '{"path":"a"}'), // 3
    call(8, 'file_tail', 'call_b', '{not JSON'), // 4
    result(9, 'file_head', 'call_a', ''), // 5
    result(10, 'file_tail', 'call_b', 'Error: no JSON'), // 6
    system(11, 'system_prompt_changed', 'Be brief.'), // 7
    call(12, 'call_user', 'call_c', '{"message":"Which?"}', 'flow_control_call'), // 8
    result(13, 'call_user', 'call_c', 'Returning to user', 'flow_control_result'), // 9
    user(14, ''), // 10
    system(15, 'run_error', 'It failed.', { metadata: { kind: 'server' } }), // 11
  ]
  const window = [...archived.slice(3), ...active.filter((_, index) => index !== 6)]
  const name = '1770000001-1770000004'
  const known = (context: string) => ({
    name: context,
    created_at: 1_770_000_001,
    last_activity_at: 1_770_000_015,
    destroy_after_seconds_inactive: 0,
    destroy_at: 0,
    cwd: null,
  })
  const bare = { ...system(30, 'context_created', 'Context created'), to: 'shed' }
  return {
    'config.toml': 'api_key = "sk-secret"\n',
    'state.json': pretty({ contexts: [known('garden'), known('shed')] }),
    'session.json': pretty({ implied_context: 'garden', previous_context: null }),
    'prompts/reflection.md': 'Remember.\n',
    [`contexts/garden/transcript/partitions/${name}.jsonl`]: lines(archived),
    [`contexts/garden/transcript/partitions/${name}.bloom`]: 'a filter',
    'contexts/garden/transcript/manifest.json': pretty({
      version: 1,
      active_partition: 'active.jsonl',
      partitions: [
        {
          file: `partitions/${name}.jsonl`,
          start_ts: 1_770_000_001,
          end_ts: 1_770_000_004,
          entry_count: 4,
          prompt_count: 1,
          token_count: 5 + 10 + 6 + 6,
          bloom_file: `partitions/${name}.bloom`,
        },
      ],
      rotation_policy: { max_entries: 4, max_age_seconds: 2_592_000, max_tokens: 100_000 },
    }),
    'contexts/garden/transcript/active.jsonl': lines(active),
    'contexts/garden/transcript/.transcript.lock': '',
    'contexts/garden/context.jsonl': lines(window),
    'contexts/garden/context_meta.json': pretty({ system_prompt_md_mtime: 1_770_000_000 }),
    'contexts/garden/todos.md': '- [ ] water\n',
    'contexts/garden/inbox.jsonl': lines([
      { id: uuid(40), timestamp: 1_770_000_020, from: 'shed', to: 'garden', content: 'Hello.' },
    ]),
    'contexts/garden/requests.jsonl': lines([{ timestamp: 1, request: { model: 'm' } }]),
    'contexts/shed/transcript/active.jsonl': lines([bare]),
    'contexts/shed/context.jsonl': '',
  }
}

/** Writes the files of a home. */
export function writeHome(home: string, files: HomeFiles): void {
  for (const [file, content] of Object.entries(files)) {
    const place = path.join(home, file)
    fs.mkdirSync(path.dirname(place), { recursive: true })
    fs.writeFileSync(place, content)
  }
}
