/**
 * Makes agent histories out of the texts of a machine: chibi entries whose tool results are real files, between them
 * questions, arguments, listings with hashes, ids and times. Nothing of it is kept in the repository.
 *
 *   node bench/corpus-from-texts.mjs OUT MEGABYTES FOLDER...
 *
 * Folders are read in turns, a text at a time, so that every part of the corpus has some of each. The same folders
 * give the same corpus.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'

const [out, megabytes, ...folders] = process.argv.slice(2)
if (!out || !Number(megabytes) || folders.length === 0) {
  console.error('usage: node bench/corpus-from-texts.mjs OUT MEGABYTES FOLDER...')
  process.exit(2)
}

const random = seeded(20260)
const pick = (list) => list[Math.floor(random() * list.length)]
const bytesWanted = Number(megabytes) * 1e6
const fileBytes = 8e6
fs.mkdirSync(out, { recursive: true })

let written = 0
let inFile = 0
let files = 0
let time = 1_735_000_000
let handle = next()
const turns = folders.map((folder) => texts(folder))
while (written < bytesWanted && turns.length > 0) {
  const turn = Math.floor(random() * turns.length)
  const step = turns[turn].next()
  if (step.done) turns.splice(turn, 1)
  else session(step.value.file, step.value.text)
}
fs.closeSync(handle)
console.log(`${(written / 1e6).toFixed(1)} MB in ${files} files`)

/** One file is talked about: a question, some tools, an answer. */
function session(file, text) {
  const paragraphs = text.split(/\n\s*\n/).filter((part) => part.trim().length > 40)
  if (paragraphs.length === 0) return
  entry({
    from: 'ann',
    to: 'notes',
    content: pick(paragraphs).slice(0, 400),
    entry_type: 'message',
    role: 'user',
  })
  for (let at = 0; at < text.length && at < 60_000; at += 6000) {
    const id = `toolu_01${base62(22)}`
    const call = { path: file, offset: at, limit: 6000 }
    entry({
      from: 'notes',
      to: 'file_lines',
      content: JSON.stringify(call),
      entry_type: 'tool_call',
      tool_call_id: id,
    })
    entry({
      from: 'file_lines',
      to: 'notes',
      content: text.slice(at, at + 6000),
      entry_type: 'tool_result',
      tool_call_id: id,
    })
    if (random() < 0.4)
      entry({
        from: 'notes',
        to: 'user',
        content: pick(paragraphs).slice(0, 1200),
        entry_type: 'message',
        role: 'agent',
      })
  }
  if (random() < 0.25) {
    entry({
      from: 'notes',
      to: 'shell_exec',
      content: JSON.stringify({ command: `git log --oneline -- ${file}` }),
      entry_type: 'tool_call',
    })
    const log = Array.from(
      { length: 20 },
      () => `${hex(pick([7, 10, 40]))} ${pick(paragraphs).replace(/\s+/g, ' ').slice(0, 60)}`,
    )
    entry({ from: 'shell_exec', to: 'notes', content: log.join('\n'), entry_type: 'tool_result' })
  }
  if (random() < 0.2) {
    const list = Array.from(
      { length: 30 },
      (_, n) =>
        `-rw-r--r-- 1 ann ann ${Math.floor(random() * 1e6)} 2025-${String(1 + (n % 12)).padStart(2, '0')}-03 ${uuid()}.jsonl`,
    )
    entry({ from: 'shell_exec', to: 'notes', content: list.join('\n'), entry_type: 'tool_result' })
  }
  if (random() < 0.02)
    entry({ from: 'shell_exec', to: 'notes', content: base62(4000), entry_type: 'tool_result' })
}

function entry(fields) {
  time += Math.floor(random() * 40)
  const line = `${JSON.stringify({ id: uuid(), timestamp: time, ...fields })}\n`
  const bytes = fs.writeSync(handle, line)
  written += bytes
  inFile += bytes
  if (inFile < fileBytes) return
  fs.closeSync(handle)
  inFile = 0
  handle = next()
}

function next() {
  files += 1
  return fs.openSync(path.join(out, `${String(files).padStart(4, '0')}.jsonl`), 'w')
}

function* texts(folder) {
  for (const name of shuffled(fs.readdirSync(folder).sort())) {
    const file = path.join(folder, name)
    const stat = fs.lstatSync(file)
    if (stat.isDirectory()) yield* texts(file)
    else if (stat.isFile() && stat.size > 400 && stat.size < 4e6) {
      const text = textOf(file)
      if (text) yield { file, text }
    }
  }
}

function textOf(file) {
  if (
    !/\.(txt|md|rst|html?|js|mjs|ts|tsx|py|pm|pod|pl|c|h|rs|json|css|sh|toml|[1-9])(\.gz)?$|\/(README|NEWS|changelog|copyright)[^/]*$/i.test(
      file,
    )
  )
    return undefined
  let bytes = fs.readFileSync(file)
  if (file.endsWith('.gz')) {
    try {
      bytes = zlib.gunzipSync(bytes)
    } catch {
      return undefined
    }
  }
  let text = bytes.toString('utf8')
  if (text.includes('\u0000') || text.split('\uFFFD').length > 20) return undefined
  if (/\.html?(\.gz)?$/i.test(file)) {
    text = text
      .replace(/<(script|style)[\s\S]*?<\/\1>/gi, '')
      .replace(/<[^>]*>/g, '')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')
      .replace(/&#39;/g, "'")
      .replace(/&amp;/g, '&')
      .replace(/\n{3,}/g, '\n\n')
  }
  return text
}

function shuffled(list) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    ;[list[i], list[j]] = [list[j], list[i]]
  }
  return list
}

function hex(length) {
  return createHash('sha256').update(String(random())).digest('hex').slice(0, length)
}

function uuid() {
  const h = hex(32)
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-4${h.slice(13, 16)}-a${h.slice(17, 20)}-${h.slice(20)}`
}

function base62(length) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  return Array.from({ length }, () => letters[Math.floor(random() * 62)]).join('')
}

/** mulberry32: small, and the same everywhere. */
function seeded(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
