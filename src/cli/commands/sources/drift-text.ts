import { countWithNoun } from '../../../shared/model/basics/plural'
import { parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type { DriftPlace, SourceDrift } from '../../../shared/model/drift/drift'
import { driftWords } from '../../../shared/model/drift/drift-words'
import { oneLine } from '../../terminal/shown-name'

/** Names that are printed; `--json` has up to 100. */
const printedNames = 10

/**
 * Writes what is new in a source's histories, each name with a line that has it: the file, and the conversation for `skein show`.
 * Texts of files are in it as they are, on one line.
 */
export function driftText(drift: SourceDrift): string {
  const { names, newer } = drift
  const indent = ' '.repeat(4)
  const lines = [driftWords(drift, countWithNoun)]
  if (newer !== null) lines.push(`  version ${newer.version}: ${placeText(newer.place)}`)
  for (const { what, name, conversations, place } of names.slice(0, printedNames)) {
    const held = conversations === 1 ? '' : `in ${conversations} conversations, first `
    lines.push(`  ${what} ${oneLine(name)}: ${held}${placeText(place)}`)
  }
  if (names.length > printedNames)
    lines.push(`  and ${names.length - printedNames} more; --json has them`)
  return lines.map((line) => `${indent}${line}\n`).join('')
}

function placeText({ key, line, shown, unit }: DriftPlace): string {
  const { source, key: own } = parseLibraryKey(key)
  return oneLine(`${unit} ${line} of ${shown} (skein show ${source}:${own} --branches all)`)
}

/** Returns the same as `sources --json` has it (docs/command-line.md). */
export function driftJson({ source: _, names, newer, ...drift }: SourceDrift) {
  return {
    ...drift,
    names: names.map(({ place, ...name }) => ({ ...name, ...placeJson(place) })),
    newer: newer && {
      version: newer.version,
      conversations: newer.conversations,
      ...placeJson(newer.place),
    },
  }
}

function placeJson({ key, shown, line, unit }: DriftPlace) {
  return { key: parseLibraryKey(key).key, file: shown, line, unit }
}
