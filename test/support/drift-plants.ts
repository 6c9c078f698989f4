import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { SourceId } from '../../src/shared/model/conversation/sources'
import { writeDatabase } from './sqlite3'

/** A thing that a system newly writes, to be put into a copy of its fixture. */
const NewThing = z
  .object({
    what: z.enum(['field', 'type', 'version']),
    /** As it is counted; of a version the version. */
    name: z.string(),
    /** Below the fixture's input. */
    file: z.string(),
    /** The number of the line that has it, in a conversation that is read as messages; else the file itself tells. */
    message: z.int().optional(),
  })
  .and(
    z.union([
      /** A text of the file, of which the first is replaced. */
      z.object({ find: z.string(), put: z.string() }),
      /** Statements for a database. */
      z.object({ sql: z.string() }),
    ]),
  )
/** A thing that a system newly writes, to be put into a copy of its fixture. */
export type NewThing = z.infer<typeof NewThing>

const fixtures = path.resolve(import.meta.dirname, '../fixtures/readers')

/** Reads what is new beside a source's fixture. */
export function newThingsFor(id: SourceId): readonly NewThing[] {
  const text = fs.readFileSync(path.join(fixtures, id, 'new-things.json'), 'utf8')
  return z.array(NewThing).min(1).parse(JSON.parse(text))
}

<<<<<<< HEAD
const field = (name: string, file: string, change: Plant['change'], message?: number): Plant => ({
  what: 'field',
  name,
  file,
  change,
  ...(message === undefined ? {} : { message }),
})
const version = (name: string, file: string, change: Plant['change'], message?: number): Plant => ({
  ...field(name, file, change, message),
  what: 'version',
})
const type = (name: string, file: string, change: Plant['change'], message?: number): Plant => ({
  ...field(name, file, change, message),
  what: 'type',
})

const copilot = 'session-state/1db65286-ba40-41b8-aeb6-1552ed52219e/events.jsonl'
const chats = 'workspaceStorage/5d2f9c0b8e7a41d3a6c4f0e19b7d2a58/chatSessions'
const cursor = 'projects/home-ann-steps/agent-transcripts/9c6033ea-74e0-4a6f-a2a3-b895a5e5f1bb'
const state = 'User/globalStorage/state.vscdb'
const task = 'tasks/1789030800000/api_conversation_history.json'
const roses = 'tmp/265350bea0cca85fb981e238096d1b3246e3fc9e3fde517007b60d7d3b748c2f/chats'
const grokBuild =
  'sessions/%2Fhome%2Fann%2Fhives/019f8870-1ed9-70e3-803b-1e7f96a072eb/updates.jsonl'
const studio = 'conversations/Garden/1789030800000.conversation.json'

/** Things that are new, one in each; every source has one at least. */
export const plants: Readonly<Record<SourceId, readonly Plant[]>> = {
  chibi: [
    field('glow', 'contexts/garden/transcript/active.jsonl', [
      '"entry_type":"tool_result"',
      '"entry_type":"tool_result","glow":1',
    ]),
    type('message.role/oracle', 'contexts/garden/transcript/active.jsonl', [
      '"role":"agent"',
      '"role":"oracle"',
    ]),
  ],
  'claude-code': [
    field('glow', 'projects/-home-ann-garden/5f0c1f4e-2a6b-4c3d-9e8f-7a6b5c4d3e2f.jsonl', [
      '{"parentUuid":null,"isSidechain":false',
      '{"parentUuid":null,"glow":1,"isSidechain":false',
    ]),
  ],
  cycod: [
    field('glow', 'history/chat-history-1754437000000.jsonl', [
      '"name":"mira"}',
      '"name":"mira","glow":1}',
    ]),
    field('_meta.glöw', 'history/chat-history-1754437000000.jsonl', [
      '"pinned":1',
      '"pinned":1,"glöw":1',
    ]),
    type('oracle', 'history/chat-history-1754437000000.jsonl', [
      '{"role":"system"',
      '{"role":"oracle"',
    ]),
  ],
  fluux: [
    field('message.glow', 'mira@example.org/history.jsonl', [
      '"content":"In March."',
      '"content":"In March.","glow":1',
    ]),
    version('2', 'mira@example.org/history.jsonl', ['"version":1', '"version":2']),
  ],
  voicemode: [
    field('metadata.glow', 'logs/conversations/exchanges_2025-08-01.jsonl', [
      '"transport": "survey"',
      '"transport": "survey", "glow": 1',
    ]),
    version('8.13.0', 'logs/conversations/exchanges_2025-08-01.jsonl', [
      '"8.12.0", "transport": "survey"',
      '"8.13.0", "transport": "survey"',
    ]),
    field('head.glow', 'transcriptions/stt_20250628_104500_000.txt', [
      'type: stt',
      'glow: 1\ntype: stt',
    ]),
  ],
  pi: [
    field(
      'message.message/user.glow',
      'sessions/--home-ann-orchard--/2026-09-10T09-00-00-000Z_07abe132-a1a8-4fbe-a61f-fcebb1c21c68.jsonl',
      ['"timestamp":1789030860000', '"timestamp":1789030860000,"glow":1'],
    ),
  ],
  openclaw: [
    version('4', 'agents/main/sessions/3f6d9a52-7c1e-4b80-95a3-0d8e2f4c6b17.jsonl', [
      '"version":3',
      '"version":4',
    ]),
  ],
  gemini: [
    field('glow', 'tmp/roses/chats/session-2026-09-10T10-00-a1e6d3c6.jsonl', [
      '"content":"what flowers?"',
      '"content":"what flowers?","glow":1',
    ]),
    field(
      'glow',
      `${roses}/session-2026-08-01T09-00-0e7d2f10.json`,
      ['"type": "user"', '"glow": 1, "type": "user"'],
      2,
    ),
  ],
  antigravity: [
    field(
      'glow',
      'brain/0a7e55d2-8c13-4f0b-b6de-91c2d84e6f20/.system_generated/logs/transcript.jsonl',
      ['"content":"Is the barrel tight?"', '"content":"Is the barrel tight?","glow":1'],
    ),
  ],
  qwen: [
    field(
      'user.glow',
      'projects/-home-ann-orchard/chats/7c0f2e14-93b5-4d1a-8a6f-2b9e5d3c1f70.jsonl',
      ['"provenance":"real_user"', '"provenance":"real_user","glow":1'],
    ),
  ],
  kimi: [
    field(
      'context.append_message.message.glow',
      'sessions/wd_orchard_0f1e2d3c4b5a/session_5d2e8f10-3b4c-4a6d-9e7f-1a2b3c4d5e6f/agents/main/wire.jsonl',
      [
        '"toolCalls":[],"origin":{"kind":"user"}',
        '"glow":1,"toolCalls":[],"origin":{"kind":"user"}',
      ],
    ),
  ],
  droid: [
    field('message.glow', 'sessions/-home-ann-orchard/1e8f4b20-6c3d-4a95-8b7e-0f1a2b3c4d5e.jsonl', [
      '"timestamp":"2026-09-10T09:00:00.000Z"',
      '"timestamp":"2026-09-10T09:00:00.000Z","glow":1',
    ]),
  ],
  'grok-build': [
    type('record.params.update/nectar_flow', grokBuild, ['"honey_flow"', '"nectar_flow"'], 18),
    field('record.params.glow', grokBuild, ['"params":{', '"params":{"glow":1,'], 2),
  ],
  copilot: [
    field('assistant.reasoning.data.glow', copilot, ['"reasoningId":', '"glow":1,"reasoningId":']),
    type('session.brander_new', copilot, ['session.brand_new', 'session.brander_new']),
    version('1.0.81', 'session-state/f3c9a1d2-5b6e-4c7f-8a90-b1c2d3e4f506.jsonl', [
      '"startTime"',
      '"copilotVersion":"1.0.81","startTime"',
    ]),
    type(
      'request.response/glow',
      `${chats}/7c1de0f2-9a3b-4c55-8e1d-2f6a90b4c7d1.json`,
      ['"codeblockUri"', '"glow"'],
      2,
    ),
    type(
      'change/8',
      `${chats}/2a685a75-b163-436c-a27f-f55820585216.jsonl`,
      ['"kind":9', '"kind":8'],
      5,
    ),
  ],
  cline: [
    field(
      'message.content/tool_use.glow',
      task,
      ['"id": "toolu_1"', '"glow": 1, "id": "toolu_1"'],
      2,
    ),
    type('message/oracle', task, ['{"role": "assistant"', '{"role": "oracle"'], 2),
  ],
  aider: [
    version('0.87.0', 'terrace/.aider.chat.history.md', ['Aider v0.86.1', 'Aider v0.87.0'], 2),
  ],
  'lm-studio': [
    field(
      'version/multiStep.glow',
      studio,
      ['"type": "multiStep"', '"glow": 1, "type": "multiStep"'],
      3,
    ),
  ],
  codex: [
    field(
      'session_meta.payload.glow',
      'archived_sessions/rollout-2026-09-02T10-00-00-019cb002-91d0-7a55-b1c2-7c8d9e0f1a2b.jsonl',
      ['"cli_version"', '"glow":1,"cli_version"'],
    ),
  ],
  opencode: [
    field(
      'parts.data/text.glow',
      'opencode.db',
      "update part set data = json_set(data, '$.glow', 1) where id = 'prt_1a'",
      2,
    ),
  ],
  cursor: [
    field('glow', `${cursor}/9c6033ea-74e0-4a6f-a2a3-b895a5e5f1bb.jsonl`, [
      '{"role":"assistant"',
      '{"glow":1,"role":"assistant"',
    ]),
    field(
      'data.glow',
      state,
      "update cursorDiskKV set value = json_set(value, '$.glow', 1) where key like 'bubbleId:9e914b80%:u1'",
      2,
    ),
    version(
      '18',
      state,
      "update cursorDiskKV set value = json_set(value, '$._v', 18) where key like 'composerData:9e914b80%'",
      1,
    ),
  ],
  crush: [
    field(
      'data/text.data.glow',
      'orchard/.crush/crush.db',
      "update messages set parts = json_set(parts, '$[0].data.glow', 1) where id = 'm-1'",
      2,
    ),
  ],
  zed: [
    field(
      'data.glow',
      'threads/threads.db',
      'update threads set data = replace(data, \'"id": 0\', \'"id": 0, "glow": 1\') where id = \'thread-bread\'',
      2,
    ),
  ],
  jan: [field('glow', 'threads/pond/messages.jsonl', ['{"id":"p1"', '{"glow":1,"id":"p1"'])],
  goose: [
    field(
      'data/text.glow',
      'sessions/sessions.db',
      "update messages set content_json = json_set(content_json, '$[0].glow', 1) where id = 1",
      2,
    ),
  ],
  llm: [
    type(
      'data.role/oracle',
      'logs.db',
      "update messages set role = 'oracle' where hash = 'b2:a5'",
      10,
    ),
  ],
  'open-webui': [
    field(
      'data.glow',
      'webui.db',
      "update chat set chat = json_set(chat, '$.history.messages.q1.glow', 1) where id = 'chat-hive'",
      2,
    ),
  ],
  chatgpt: [
    field(
      'message.glow',
      'conversations-000.json',
      ['"message": {"id": "a2"', '"message": {"glow": 1, "id": "a2"'],
      6,
    ),
  ],
  deepseek: [
    field('message.glow', 'conversations.json', ['"files": [', '"glow": 1, "files": ['], 3),
  ],
  grok: [
    field(
      'response.glow',
      'conversations prod-grok-backend.json',
      ['"_id": "w1"', '"glow": 1, "_id": "w1"'],
      2,
    ),
  ],
  'claude-ai': [
    field('glow', 'conversations.json', ['{"uuid": "k1"', '{"glow": 1, "uuid": "k1"'], 2),
  ],
  librechat: [
    field('message.glow', 'a Bees.json', ['{"messageId":"m1"', '{"glow":1,"messageId":"m1"'], 2),
  ],
  'ai-studio': [
    field('glow', 'Beans v1.2 and peas', ['"text": "When', '"glow": 1, "text": "When'], 2),
  ],
  'gemini-apps': [
    field(
      'activity.glow',
      'conversations MyActivity.json',
      ['"title": "Prompted and in', '"glow": 1, "title": "Prompted and in'],
      2,
    ),
  ],
}

/** Puts a thing into a copy of a fixture. */
export function putInto(root: string, { file, change }: Plant): void {
  const target = path.join(root, file)
  if (typeof change === 'string') {
    writeDatabase(target, `${change};`)
    return
=======
/** Puts a thing into a copy of a fixture; returns the number of the line that has it. */
export function putInto(root: string, thing: NewThing): number {
  const target = path.join(root, thing.file)
  if ('sql' in thing) writeDatabase(target, `${thing.sql};`)
  else {
    const { find, put } = thing
    const text = fs.readFileSync(target, 'utf8')
    if (!text.includes(find)) throw new Error(`${thing.file} has no ${find}`)
    fs.writeFileSync(
      target,
      text.replace(find, () => put),
    )
    const before = text.slice(0, text.indexOf(find))
    // A page of text is one line.
    if (thing.message === undefined) return target.endsWith('.txt') ? 1 : before.split('\n').length
>>>>>>> bd4e9001 (What is new for a system stands beside its fixture; every step of a new reader is asked for by one test)
  }
  if (thing.message === undefined) throw new Error(`${thing.name}: no number of its line`)
  return thing.message
}
