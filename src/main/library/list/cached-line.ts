import { BackupReason } from '../../../shared/model/backup/backup'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { SourceId } from '../../../shared/model/conversation/sources'
import type { KnownConversation } from './rows'

/** A line of the library's cache: what is known of one conversation. */
export type CachedLine = KnownConversation & { readonly key: LibraryKey }

/**
 * Checks the shape of a line of the library's cache. Done by hand: a start reads ten thousand of them before anything is shown, and
 * schemas took most of that time.
 */
export function isCachedLine(value: unknown): value is CachedLine {
  return isOfShape(value)
}

type Shape = Readonly<Record<string, (value: unknown) => boolean>>

const isText = (value: unknown) => typeof value === 'string'
const isTextOrNull = (value: unknown) => value === null || isText(value)
const isWholeNumber = (value: unknown) => Number.isSafeInteger(value)
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const isOptional = (is: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || is(value)

function isOf(shape: Shape): (value: unknown) => boolean {
  const fields = Object.entries(shape)
  return (value) => {
    if (typeof value !== 'object' || value === null) return false
    const record = value as Readonly<Record<string, unknown>> // any object can be read so
    return fields.every(([name, is]) => is(record[name]))
  }
}

const sources: ReadonlySet<unknown> = new Set(SourceId.options)
const backupReasons: ReadonlySet<unknown> = new Set(BackupReason.options)

const place = {
  file: isText,
  line: isWholeNumber,
  shownAt: (value: unknown) => value === null || isWholeNumber(value),
}
const isName = isOf({
  what: (value) => value === 'type' || value === 'field',
  name: isText,
  lines: isWholeNumber,
  ...place,
})
const isDrift = isOf({
  names: (value) => Array.isArray(value) && value.every(isName),
  isCut: (value) => typeof value === 'boolean',
  version: isOptional(isOf({ version: isText, ...place })),
})

const isOfShape = isOf({
  key: (value) => isText(value) && value !== '',
  stamp: isText,
  source: (value) => sources.has(value),
  files: isWholeNumber,
  bytes: isWholeNumber,
  facts: isOf({
    title: isText,
    project: isTextOrNull,
    created: isTextOrNull,
    updated: isTextOrNull,
  }),
  count: isOptional(
    isOf({
      files: isWholeNumber,
      entries: isWholeNumber,
      lines: isWholeNumber,
      blank: isWholeNumber,
      damaged: isWholeNumber,
      partitions: isWholeNumber,
      strays: isTexts,
      unread: isTexts,
      notices: isTexts,
      models: isTexts,
      drift: isOptional(isDrift),
    }),
  ),
  gone: isOptional((value) => value === true),
  backup: isOptional((value) => backupReasons.has(value)),
})
