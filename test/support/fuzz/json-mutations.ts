import type { Random } from '../../../bench/support/random'
import type { Mutated } from './mutations'

/** A value that JSON.stringify does not write, by what stands for it in a text until it is written. */
const raw = (json: string) => `\u0001raw:${Buffer.from(json).toString('hex')}\u0001`

const deep = (levels: number) => raw('['.repeat(levels) + ']'.repeat(levels))

/** In place of a value: each type, and what is at the ends of one. */
const others: readonly [unknown, ...unknown[]] = [
  null,
  true,
  false,
  0,
  -1,
  2 ** 53,
  raw('1e999'),
  raw(`-${'9'.repeat(320)}`),
  raw('-0'),
  0.5,
  '',
  ' ',
  '0',
  '\u0000',
  raw('"\\ud83c"'),
  raw('"\\udf31\\ud83c"'),
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  'x'.repeat(5000),
  '2026-13-45T99:99:99Z',
  [],
  {},
  [[]],
  [null],
  { length: 3 },
  { type: 'text' },
  { type: {} },
  raw('{"__proto__":{"role":"user"}}'),
  deep(100),
  deep(10_000),
]

interface Place {
  readonly holder: unknown[] | Record<string, unknown>
  readonly key: string | number
  readonly path: string
}

/**
 * Changes one value of a JSON document, or of one line of a file of lines: another type, a huge number, deep nesting, a key
 * that is gone, twice or strange. Undefined where it has no JSON.
 */
export function mutatedJson(random: Random, bytes: Buffer): Mutated | undefined {
  const whole = parsed(bytes.toString('utf8'))
  if (whole !== undefined) {
    const changed = changedValue(random, whole.value)
    return changed && { bytes: Buffer.from(changed.json), how: changed.how }
  }
  const lines = bytes.toString('utf8').split('\n')
  const places = lines.flatMap((line, at) => (/^\s*[[{]/.test(line) ? [at] : []))
  const at = places[random.below(places.length)]
  const value = parsed(lines[at ?? -1] ?? '')
  const changed = value && changedValue(random, value.value)
  if (at === undefined || changed === undefined) return undefined
  lines[at] = changed.json
  return { bytes: Buffer.from(lines.join('\n')), how: `line ${at + 1}: ${changed.how}` }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return undefined
  }
}

function changedValue(random: Random, value: unknown): { json: string; how: string } | undefined {
  const places: Place[] = []
  collect(value, '$', places)
  const place = places[random.below(places.length)]
  if (place === undefined) return undefined
  const { holder, key, path } = place
  const of = holder as Record<string | number, unknown>
  const what = random.below(10)
  let how = 'another value'
  if (what === 0) {
    how = 'removed'
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  } else if (what === 1 && Array.isArray(holder)) {
    how = 'twice'
    holder.push(of[key])
  } else if (what === 1) {
    how = 'renamed'
    const was = of[key]
    delete of[key]
    of[random.pick([`${key}_new`, '__proto_', '', String(key).toUpperCase()])] = was
  } else if (what === 2) {
    how = 'inside of a list'
    of[key] = [of[key]]
  } else if (what === 3) {
    how = 'as a text'
    of[key] = stringified(of[key]) ?? ''
  } else of[key] = random.pick(others)
  const json = written(value)
  return json === undefined ? undefined : { json, how: `${path} ${how}` }
}

/** Undefined where it is too deep. */
function stringified(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

function written(value: unknown): string | undefined {
  return stringified(value)?.replace(/"\\u0001raw:([0-9a-f]*)\\u0001"/g, (_, hex: string) =>
    Buffer.from(hex, 'hex').toString(),
  )
}

/** Every place in a value, but for those deeper than anybody writes. */
function collect(value: unknown, path: string, places: Place[], depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > 30) return
  const holder = value as unknown[] | Record<string, unknown>
  const keys = Array.isArray(holder) ? holder.keys() : Object.keys(holder)
  for (const key of keys) {
    places.push({ holder, key, path: `${path}.${key}` })
    collect((holder as Record<string | number, unknown>)[key], `${path}.${key}`, places, depth + 1)
  }
}
