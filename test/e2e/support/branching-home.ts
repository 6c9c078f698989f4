import { homeWith } from './scenes'

/** A line of a context's transcript. */
type Line = Readonly<Record<string, unknown>>

const day = 86_400
const startSeconds = Math.floor(Date.now() / 1000) - 9 * day
let lines = 0

function line(fields: Line, seconds: number): Line {
  lines += 1
  const id = `00000000-0000-4000-8000-${String(lines).padStart(12, '0')}`
  return { id, timestamp: startSeconds + seconds, entry_type: 'message', ...fields }
}

/** A turn of a person, with an answer that calls a tool and says what it used. */
function turn(words: string, seconds: number, failed = false): readonly Line[] {
  const answer = { from: 'model', to: 'user', role: 'agent' }
  const metadata = {
    model: seconds % 2 === 0 ? 'sonnet-large' : 'opus-small',
    usage: { input: 1200 + (seconds % 977), output: 90 + (seconds % 83), cost: 0.004 },
  }
  const call = `call_${words.length}${seconds}`
  return [
    line({ from: 'user', to: 'model', role: 'user', content: words }, seconds),
    line(
      {
        from: 'model',
        to: 'read_file',
        content: '{"path":"importer.py"}',
        entry_type: 'tool_call',
        tool_call_id: call,
      },
      seconds + 8,
    ),
    line(
      {
        from: 'read_file',
        to: 'model',
        content: failed ? 'Error: no such file' : 'def parse(row): ...',
        entry_type: 'tool_result',
        tool_call_id: call,
      },
      seconds + 9,
    ),
    line({ ...answer, content: `It is in the importer: ${words}`, metadata }, seconds + 30),
  ]
}

/** Several turns, some minutes apart. */
function turns(words: string, count: number, seconds: number, failing = -1): readonly Line[] {
  return Array.from({ length: count }, (_, i) =>
    turn(i === 0 ? words : `${words}, step ${i + 1}`, seconds + 240 * i, i === failing),
  ).flat()
}

/** The conversations of a family by the names of their contexts; each file holds all of its path, as copies do. */
function familyOfContexts(): Readonly<Record<string, readonly Line[]>> {
  const trunk = turns('Import skips an hour', 8, 0)
  const gap = [...trunk, ...turns('Where does the gap start?', 3, day)]
  const read = [
    ...gap,
    ...turns('Read the importer', 6, 2 * day, 2),
    line(
      {
        from: 'system',
        to: 'model',
        content: 'The gap is in the importer.',
        entry_type: 'compaction',
      },
      2 * day + 2000,
    ),
    ...turns('Now look at the tests', 3, 2 * day + 2400),
  ]
  const store = [...read, ...turns('Fix: store the offset', 4, 5 * day)]
  return {
    'import-gap': [...read, ...turns('Fix: compare in UTC', 9, 4 * day)],
    database: [...trunk, ...turns('Leave it to the database', 5, 3 * day)],
    pandas: [...gap, ...turns('Try it with pandas', 4, 2 * day + 5000)],
    'pandas-index': [
      ...gap,
      ...turns('Try it with pandas', 0, 0),
      ...turns('With a time index', 3, 6 * day),
    ],
    offset: store,
    constraint: [...store, ...turns('With a check constraint', 2, 6 * day, 0)],
    migration: [...read, ...turns('Ask for a migration', 2, 7 * day)],
    'same-answer': [...read, ...turns('Same answer from another model', 1, 8 * day)],
  }
}

/** A home with a family of eight branches, made in a few days, that uses the endpoint at this address. */
export function branchingHome(baseUrl?: string): string {
  const contexts = Object.entries(familyOfContexts()).map(([name, all]) => [
    name,
    `${all.map((one) => JSON.stringify(one)).join('\n')}\n`,
  ])
  return homeWith({
    contexts: Object.fromEntries(contexts),
    ...(baseUrl === undefined ? {} : { baseUrl }),
  })
}
