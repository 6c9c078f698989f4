import fc from 'fast-check'
import type { z } from 'zod'

/** What a schema says of itself, as far as values are drawn from it. */
interface Definition {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
  readonly in?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly items?: readonly z.ZodType[]
  readonly valueType?: z.ZodType
  readonly entries?: Readonly<Record<string, string | number>>
  readonly values?: readonly unknown[]
  readonly getter?: () => z.ZodType
}

/** Values of every shape that a message between processes can have, with names that objects have of themselves. */
const anything = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withSparseArray: true,
    withNullPrototype: false,
    maxDepth: 3,
    key: fc.oneof(
      fc.constantFrom('__proto__', 'constructor', 'prototype', 'key', 'path', 'toString', 'then'),
      fc.string({ maxLength: 8 }),
    ),
  }),
  fc.constantFrom<unknown>(undefined, null, Number.NaN, -0, Number.MAX_SAFE_INTEGER, 1e308, ''),
  fc.constant(0).map(() => deep(1000)),
  fc.constant('x').map((letter) => letter.repeat(2_000_000)),
)

function deep(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { key: value }
  return value
}

const numbers = fc.oneof(
  fc.constantFrom(0, 1, 2, 20, 100, -1, 0.5, 1e9, 2 ** 31, 2 ** 53 - 1, 1e308, Number.NaN),
  fc.integer(),
)

/** What a drawn text or number may be, besides anything. */
export interface Vocabulary {
  /** Texts for any field. */
  readonly words: readonly string[]
  /** Values that a field of a name was seen with, such as the keys of conversations. */
  readonly seen: ReadonlyMap<string, readonly (string | number)[]>
}

/** Keeps the texts and numbers of an answer by the names of their fields; of each name the first ones and the last. */
export function learnFrom(answer: unknown, seen: Map<string, (string | number)[]>): void {
  const left = [answer]
  for (let at = 0; at < left.length && at < 5000; at++) {
    const value = left[at]
    if (Array.isArray(value)) left.push(...value.slice(0, 50))
    else if (typeof value === 'object' && value !== null)
      for (const [name, field] of Object.entries(value)) {
        left.push(field)
        if (typeof field !== 'number' && (typeof field !== 'string' || field.length > 500)) continue
        const known = seen.get(name) ?? []
        if (!known.includes(field))
          seen.set(name, [...known.slice(0, 12), ...known.slice(12).slice(-4), field])
      }
  }
}

/**
 * Draws arguments for a call: most have the call's own shape, with what is known for each field, so that they get past the
 * first look; in some a text is hostile, or a part is anything at all, or all of it.
 */
export function anyArguments(schema: z.ZodType, known: Vocabulary): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 9, arbitrary: shaped(schema, known, 0, '') },
    { weight: 1, arbitrary: anything },
  )
}

function shaped(
  schema: z.ZodType,
  known: Vocabulary,
  depth: number,
  name: string,
): fc.Arbitrary<unknown> {
  const right = ofType(schema, known, depth, name)
  return fc.oneof({ weight: 24, arbitrary: right }, { weight: 1, arbitrary: anything })
}

function ofType(
  schema: z.ZodType,
  known: Vocabulary,
  depth: number,
  name: string,
): fc.Arbitrary<unknown> {
  const def = schema._zod.def as unknown as Definition
  const below = (inner: z.ZodType | undefined, field = name): fc.Arbitrary<unknown> =>
    inner === undefined || depth > 6 ? anything : shaped(inner, known, depth + 1, field)
  const seen = known.seen.get(name) ?? []
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape ?? {}).map(([field, inner]) => [
        field,
        below(inner, field),
      ])
      return fc.record(Object.fromEntries(fields))
    }
    case 'string':
      return accepted(
        schema,
        textsOf(
          known,
          seen.filter((one) => typeof one === 'string'),
        ),
      )
    case 'number':
    case 'int': {
      const familiar = seen.filter((one) => typeof one === 'number')
      return accepted(
        schema,
        familiar.length === 0 ? numbers : fc.oneof(numbers, fc.constantFrom(...familiar)),
      )
    }
    case 'boolean':
      return fc.boolean()
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries ?? {}))
    case 'literal':
      return fc.constantFrom(...(def.values ?? [undefined]))
    case 'array':
      return fc.array(below(def.element), { maxLength: 4 })
    case 'tuple':
      return fc.tuple(...(def.items ?? []).map((item) => below(item)))
    case 'union':
      return fc.oneof(...(def.options ?? []).map((option) => below(option)))
    case 'record':
      return fc.dictionary(fc.constantFrom(...known.words), below(def.valueType), { maxKeys: 4 })
    case 'optional':
    case 'default':
    case 'prefault':
      return fc.oneof({ weight: 2, arbitrary: below(def.innerType) }, fc.constant(undefined))
    case 'nullable':
      return fc.oneof({ weight: 2, arbitrary: below(def.innerType) }, fc.constant(null))
    case 'readonly':
    case 'nonoptional':
    case 'catch':
      return below(def.innerType)
    case 'pipe':
      return below(def.in)
    case 'lazy':
      return below(def.getter?.())
    case 'void':
    case 'undefined':
      return fc.constant(undefined)
    default:
      return anything
  }
}

/** Mostly values that the schema takes, where any of those that are drawn is one. */
function accepted<T>(schema: z.ZodType, values: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc
    .array(values, { minLength: 4, maxLength: 12 })
    .map((drawn) => drawn.find((one) => schema.safeParse(one).success) ?? (drawn[0] as T))
}

/** Texts that lead somewhere, cut something, or are not what they look like. */
const hostile = [
  ...[
    '',
    '.',
    '..',
    '/',
    '\\',
    '~',
    '%',
    '%2e%2e',
    '\0',
    'a\0b',
    '\ud800',
    '\udc00x',
    '\u202egnp',
    '\ufeff',
  ],
  ...[
    '../../outside/secret.txt',
    '..\\..\\outside',
    'C:\\Windows',
    '//server/share',
    'file:///etc/passwd',
  ],
  ...['/etc/passwd', '/proc/self/environ', '/dev/zero', '/dev/stdin', '__proto__', 'constructor'],
  ...[
    '(a+)+$',
    '[',
    '"',
    "'",
    '`',
    '$(touch x)',
    '; rm -rf /',
    '\n',
    '\r\n',
    '<script>',
    'NaN',
    '1e999',
  ],
]

function textsOf({ words }: Vocabulary, seen: readonly string[]): fc.Arbitrary<string> {
  const word = fc.constantFrom(...words)
  const bad = fc.constantFrom(...hostile)
  return fc.oneof(
    ...(seen.length === 0 ? [] : [{ weight: 30, arbitrary: fc.constantFrom(...seen) }]),
    { weight: 6, arbitrary: word },
    { weight: 2, arbitrary: bad },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.oneof(word, fc.constantFrom('', ...seen)), bad)
        .map(([a, b]) => `${a}${b}`),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  )
}
