import fs from 'node:fs'
import path from 'node:path'
import { type Faults, hasLoneSurrogate, isCount, isObject, type JsonObject } from './faults'
import { bytesOf, readLines, utf8 } from './lines'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A JSON object in a file of its own; undefined where there is none. @param file relative to the home */
function readJson(home: string, file: string, faults: Faults): JsonObject | undefined {
  const bytes = bytesOf(home, file, faults)
  if (bytes === undefined) return undefined
  try {
    const value: unknown = JSON.parse(utf8(bytes) ?? 'not UTF-8')
    if (hasLoneSurrogate(value)) faults.add(file, undefined, 'holds a lone surrogate')
    if (isObject(value)) return value
  } catch {
    // Told below.
  }
  faults.add(file, undefined, 'is no JSON object in UTF-8')
  return undefined
}

/** The same, written as chibi's pretty printer does: two spaces, no line feed at the end. */
export function readPretty(home: string, file: string, faults: Faults): JsonObject | undefined {
  const value = readJson(home, file, faults)
  if (value === undefined) return undefined
  if (fs.readFileSync(path.join(home, file), 'utf8') !== JSON.stringify(value, null, 2))
    faults.add(file, undefined, 'is not pretty JSON of two spaces without a final line feed')
  return value
}

/** state.json knows the folders that are there, each once, sorted by name. */
export function checkState(home: string, folders: readonly string[], faults: Faults): void {
  const state = readJson(home, 'state.json', faults)
  const fault = (words: string) => faults.add('state.json', undefined, words)
  if (state === undefined) {
    if (folders.length > 0 && !fs.existsSync(path.join(home, 'state.json'))) fault('is missing')
    return
  }
  const { contexts } = state
  if (!Array.isArray(contexts)) {
    fault('"contexts" is a list')
    return
  }
  const names = contexts.map((one: unknown) =>
    String(isObject(one) ? one.name : typeof one === 'string' ? one : undefined),
  )
  const sorted = [...folders].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  if (JSON.stringify(names) !== JSON.stringify(sorted))
    fault(`knows ${names.join(', ')}; there are ${sorted.join(', ')}`)
  for (const one of contexts.filter(isObject)) {
    for (const key of [
      'created_at',
      'last_activity_at',
      'destroy_after_seconds_inactive',
      'destroy_at',
    ])
      if (!isCount(one[key])) fault(`"${key}" of ${String(one.name)} is no whole number`)
    if ('cwd' in one && one.cwd !== null && typeof one.cwd !== 'string')
      fault(`"cwd" of ${String(one.name)} is a text or null`)
  }
}

/** session.json, where it is there. */
export function checkSession(home: string, faults: Faults): void {
  const session = readJson(home, 'session.json', faults)
  if (session === undefined) return
  const { implied_context: implied, previous_context: previous } = session
  if (typeof implied !== 'string' || (previous !== null && typeof previous !== 'string'))
    faults.add('session.json', undefined, 'has implied_context, and previous_context or null')
}

/** context_meta.json, where it is there. */
export function checkMeta(home: string, folder: string, faults: Faults): void {
  const file = `${folder}/context_meta.json`
  const meta = readPretty(home, file, faults)
  if (meta === undefined) return
  for (const key of ['created_at', 'system_prompt_md_mtime'])
    if (key in meta && !isCount(meta[key])) faults.add(file, undefined, `"${key}" is no time`)
  if ('last_combined_prompt' in meta && typeof meta.last_combined_prompt !== 'string')
    faults.add(file, undefined, '"last_combined_prompt" is no text')
}

/** inbox.jsonl, where it is there: messages to this context. */
export function checkInbox(home: string, folder: string, context: string, faults: Faults): void {
  const file = `${folder}/inbox.jsonl`
  for (const { line, value } of readLines(home, file, faults)) {
    const fault = (words: string) => faults.add(file, line, words)
    const keys = Object.keys(value).join(', ')
    if (keys !== 'id, timestamp, from, to, content') fault(`the keys are ${keys}`)
    if (!uuid.test(String(value.id))) fault('the id is no UUID')
    if (!isCount(value.timestamp)) fault('"timestamp" is no whole number of seconds')
    if (typeof value.from !== 'string' || typeof value.content !== 'string')
      fault('"from" and "content" are texts')
    if (value.to !== context) fault(`is to "${String(value.to)}"`)
  }
}

/** requests.jsonl, where it is there: a time and a request a line. */
export function checkRequests(home: string, folder: string, faults: Faults): void {
  const file = `${folder}/requests.jsonl`
  for (const { line, value } of readLines(home, file, faults))
    if (Object.keys(value).sort().join() !== 'request,timestamp' || !isObject(value.request))
      faults.add(file, line, 'is no {timestamp, request}')
}

/** The plain texts of a context, or of the home: UTF-8, or chibi cannot read them. */
export function checkTexts(home: string, files: readonly string[], faults: Faults): void {
  for (const file of files) {
    const bytes = bytesOf(home, file, faults)
    if (bytes !== undefined && utf8(bytes) === undefined)
      faults.add(file, undefined, 'is not UTF-8')
  }
}
