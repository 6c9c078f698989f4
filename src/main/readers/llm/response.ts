import { isJsonObject, type JsonObject } from '../../../shared/model/basics/json-object'
import { type TimelessEntry, textIn, withFields } from '../common/drafts'
import type { NamelessEntry } from '../common/value-meaning'
import {
  answerFields,
  filesWith,
  fragmentEntry,
  logCallEntry,
  logResultEntry,
  logThoughtEntry,
  modelOfRow,
  usageOfRow,
  withAnswerFields,
  wordsEntry,
} from './entries'
import { secondsOfUtc } from './times'

/** Converts an answer of the first generation to its entries: what was asked with it, then what it is. */
export function logResponseEntries(row: JsonObject): readonly NamelessEntry[] {
  const asked = secondsOfUtc(row.datetime_utc) ?? null
  const answered = secondsOfUtc(row.datetime_utc, row.duration_ms) ?? null
  return [
    ...askedEntries(row).map((entry) => ({ timestamp: asked, ...entry })),
    ...answerEntries(row).map((entry) => ({ timestamp: answered, ...entry })),
  ]
}

function askedEntries(row: JsonObject): readonly TimelessEntry[] {
  const { prompt, system, attachments } = row
  const files = filesWith(attachments)
  const hasFiles = Object.keys(files).length > 0
  const words = textIn(prompt)
  return [
    ...objectsIn(row.system_fragments).map((one) => fragmentEntry('system', one)),
    ...(textIn(system) === undefined ? [] : [wordsEntry('system', textIn(system) ?? '')]),
    // What the tools gave that the answer before called.
    ...objectsIn(row.results).map(logResultEntry),
    ...objectsIn(row.prompt_fragments).map((one) => fragmentEntry('user', one)),
    ...(words === undefined && !hasFiles
      ? []
      : [withFields(wordsEntry('user', words ?? ''), files)]),
  ]
}

function answerEntries(row: JsonObject): readonly TimelessEntry[] {
  const model = modelOfRow(row)
  const thoughts = textIn(row.reasoning)
  const words = textIn(row.response)
  const calls = objectsIn(row.calls).map(logCallEntry)
  const entries = [
    ...(thoughts === undefined ? [] : [logThoughtEntry(thoughts)]),
    // An answer of which nothing came is told as an empty one.
    ...(words === undefined && calls.length > 0 ? [] : [wordsEntry('agent', words ?? '')]),
    ...calls,
  ]
  const usage = usageOfRow(row)
  const fields = { ...answerFields(row), ...(usage === undefined ? {} : { usage }) }
  return withAnswerFields(
    entries.map((entry) => withFields(entry, model)),
    fields,
  )
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}
