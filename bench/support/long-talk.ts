import fs from 'node:fs'
import path from 'node:path'
import { createRandom } from './random'
import { createWriter } from './text'

/** A home with one long conversation, and others. */
export interface LongTalk {
  readonly home: string
  readonly context: string
  readonly entries: number
  /** Name of the tool whose result is the longest, right before the end. */
  readonly longTool: string
}

/** Entries of one turn: a prompt, three calls with results, an answer. */
const eachTurn = 8
const resultLines = 80_000

/**
 * Writes a home with a conversation of an agent: prompts, calls of tools with results, answers in Markdown with lists and code; the last
 * call has a result of 5 MB. Its model is at `baseUrl`. The same for the same number.
 */
export function writeLongTalk(folder: string, entries: number, baseUrl: string): LongTalk {
  const home = path.join(folder, 'home')
  const context = 'garden'
  const random = createRandom(23)
  const writer = createWriter(random)
  const texts = Array.from({ length: 300 }, () => writer.text(40 + random.below(600)))
  const text = () => texts[random.below(texts.length)] ?? ''
  const file = path.join(home, 'contexts', context, 'transcript', 'active.jsonl')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(
    path.join(home, 'config.toml'),
    `base_url = "${baseUrl}"\nmodel = "bench"\napi_key = "sk-test-0123456789abcdef0123"\n`,
  )
  const to = fs.openSync(file, 'w')
  const startedAt = Math.floor(Date.now() / 1000) - 86_400
  let written = 0
  const add = (entry: Readonly<Record<string, unknown>>) => {
    const id = `00000000-0000-4000-8000-${String(written).padStart(12, '0')}`
    const timestamp = startedAt + Math.floor((written * 80_000) / entries)
    const base = { id, timestamp, from: context, to: 'user', entry_type: 'message' }
    fs.writeSync(to, `${JSON.stringify({ ...base, ...entry })}\n`)
    written += 1
  }
  const call = (tool: string, asked: string, result: string) => {
    const common = { tool_call_id: `call_${written}` }
    add({ ...common, to: tool, entry_type: 'tool_call', content: asked })
    add({ ...common, from: tool, to: context, entry_type: 'tool_result', content: result })
  }
  while (written < entries - 4 - ((entries - 4) % eachTurn)) {
    add({ from: 'user', to: context, role: 'user', content: `Question ${written}: ${text()}` })
    for (let at = 0; at < (eachTurn - 2) / 2; at++)
      call('shell', JSON.stringify({ command: `ls ${written}` }), `${text()}\n${text()}`)
    add({ role: 'agent', content: markdown(written, text) })
  }
  while (written < entries - 3)
    add({ from: 'user', to: context, role: 'user', content: 'What does the whole log say?' })
  const long = Array.from({ length: resultLines }, (_, at) => `${at} ${text().slice(0, 57)}`)
  call('whole_log', '{}', long.join('\n'))
  add({ role: 'agent', content: 'The last answer.' })
  fs.closeSync(to)
  return { home, context, entries: written, longTool: 'whole_log' }
}

/** Returns an answer as models write it. */
export function markdown(number: number, text: () => string): string {
  return `## Answer ${number}\n\n${text()}\n\n- ${text().slice(0, 80)}\n- **${text().slice(0, 20)}** \`${text().slice(0, 12)}\`\n\n\`\`\`ts\nconst answer = ${number}\nreturn answer\n\`\`\`\n\n${text()}\n`
}
