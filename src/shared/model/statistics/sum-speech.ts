import { addCounts, sortedByCount } from './counts'
import { turnsOf } from './marks'
import type { SelectedFacts } from './selection'
import { addSpreads, type Spread, type SpreadSums, spreadOf } from './spread'
import type { SpeechNumbers } from './statistics-shape'
import { turnaroundRanges } from './steps'

/** Sums what was spoken and heard; null where nothing was. */
export function speechNumbers(selected: readonly SelectedFacts[]): SpeechNumbers | null {
  const numbers = { exchanges: 0, heard: 0, spoken: 0, errors: 0 }
  const words = { heard: 0, spoken: 0 }
  const silenceDetection = { on: 0, off: 0 }
  const names = { providers: counter(), transports: counter(), voices: counter() }
  const timing = new Map<string, SpreadSums>()
  let turnaround: SpreadSums | undefined
  for (const { cells, from } of selected)
    for (const { speech } of cells) {
      if (speech === null) continue
      numbers.exchanges += speech.exchanges
      numbers.heard += speech.heard
      numbers.spoken += speech.spoken
      numbers.errors += speech.errors
      words.heard += speech.wordsHeard
      words.spoken += speech.wordsSpoken
      silenceDetection.on += speech.silenceOn
      silenceDetection.off += speech.silenceOff
      addCounts(names.providers, speech.providers)
      addCounts(names.transports, speech.transports)
      addCounts(names.voices, speech.voices)
      for (const [name, seconds] of speech.timing)
        timing.set(name, addSpreads(timing.get(name), seconds))
      for (const turns of speech.turns)
        if (from === undefined || turns.from >= from)
          turnaround = addSpreads(turnaround, turns.seconds)
    }
  if (numbers.exchanges === 0) return null
  const { errors, ...sides } = numbers
  return {
    ...sides,
    words,
    byProvider: sortedByCount(names.providers),
    byTransport: sortedByCount(names.transports),
    byVoice: sortedByCount(names.voices),
    timing: Object.fromEntries([...timing].flatMap(([name, sums]) => spreadPair(name, sums))),
    turnaround: spreadOf(turnaround),
    silenceDetection,
    errors,
    turnarounds: turnaroundNumbers(selected),
  }
}

function turnaroundNumbers(selected: readonly SelectedFacts[]): SpeechNumbers['turnarounds'] {
  const steps = turnaroundRanges.map((range) => ({ ...range, turns: 0, conversations: 0 }))
  for (const { cells, from } of selected) {
    const met = new Set<number>()
    for (const cell of cells)
      for (const [step, count] of turnsOf(cell, from)) {
        const row = steps[step]
        if (row === undefined) continue
        row.turns += count
        if (!met.has(step)) row.conversations += 1
        met.add(step)
      }
  }
  return steps
}

function spreadPair(name: string, sums: SpreadSums): readonly (readonly [string, Spread])[] {
  const spread = spreadOf(sums)
  return spread === null ? [] : [[name, spread]]
}

function counter(): Map<string, number> {
  return new Map()
}
