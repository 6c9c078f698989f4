/** Shape of a JSON value as docs/command-line.md writes it. */
export type Shape =
  | { readonly type: 'object'; readonly keys: readonly Key[] }
  | { readonly type: 'list'; readonly of: Shape }
  /** A word such as `text`, or the name of another shape; any other word takes every value. */
  | { readonly type: 'word'; readonly word: string }
  | { readonly type: 'nullable'; readonly of: Shape }

interface Key {
  /** In capitals: any number of keys. */
  readonly name: string
  readonly isOptional: boolean
  readonly of: Shape
}

/** Parses a shape. @throws Error where it is none, with the place */
export function parseShape(text: string): Shape {
  let at = 0
  const take = (pattern: RegExp): string | undefined => {
    const sticky = new RegExp(`\\s*(${pattern.source})`, 'y')
    sticky.lastIndex = at
    const found = sticky.exec(text)
    if (found === null) return undefined
    at = sticky.lastIndex
    return found[1]
  }
  const must = (pattern: RegExp): string => {
    const found = take(pattern)
    if (found === undefined)
      throw new Error(`No ${pattern.source} at ${at}: ${text.slice(at, at + 40)}`)
    return found
  }
  const value = (): Shape => {
    const one = plain()
    return take(/or null\b/) === undefined ? one : { type: 'nullable', of: one }
  }
  const plain = (): Shape => {
    if (take(/\{/) !== undefined) return { type: 'object', keys: keys() }
    if (take(/\[/) === undefined) return { type: 'word', word: must(/[a-z]+/) }
    const of = value()
    must(/\]/)
    return { type: 'list', of }
  }
  const keys = (): Key[] => {
    const all: Key[] = []
    do {
      const name = must(/[A-Za-z_]+/)
      const isOptional = take(/\?/) !== undefined
      const of: Shape = take(/:/) === undefined ? { type: 'word', word: 'anything' } : value()
      all.push({ name, isOptional, of })
    } while (take(/,/) !== undefined)
    must(/\}/)
    return all
  }
  const shape = value()
  if (text.slice(at).trim() !== '') throw new Error(`More at ${at}: ${text.slice(at, at + 40)}`)
  return shape
}

const kinds: Readonly<Record<string, string>> = {
  text: 'string',
  number: 'number',
  boolean: 'boolean',
}

/** Says what of a value is not as its shape has it: keys that are absent, unknown, or of another type. Empty where all is. */
export function differences(
  value: unknown,
  shape: Shape,
  named: ReadonlyMap<string, Shape>,
  where = '',
): readonly string[] {
  switch (shape.type) {
    case 'nullable':
      return value === null ? [] : differences(value, shape.of, named, where)
    case 'list':
      return Array.isArray(value)
        ? value.flatMap((one) => differences(one, shape.of, named, `${where}[]`))
        : [`${where}: no list`]
    case 'word': {
      const other = named.get(shape.word)
      if (other !== undefined) return differences(value, other, named, where)
      const kind = kinds[shape.word]
      return kind === undefined || typeof value === kind ? [] : [`${where}: no ${shape.word}`]
    }
    case 'object':
      return isRecord(value) ? inObject(value, shape.keys, named, where) : [`${where}: no object`]
  }
}

function inObject(
  value: Readonly<Record<string, unknown>>,
  keys: readonly Key[],
  named: ReadonlyMap<string, Shape>,
  where: string,
): readonly string[] {
  const rest = keys.find(({ name }) => name === name.toUpperCase())
  const own = keys.filter((key) => key !== rest)
  const absent = own
    .filter(({ name, isOptional }) => !isOptional && !(name in value))
    .map(({ name }) => `${where}.${name}: absent`)
  const wrong = Object.entries(value).flatMap(([name, one]) => {
    const key = own.find((other) => other.name === name) ?? rest
    return key === undefined
      ? [`${where}.${name}: not documented`]
      : differences(one, key.of, named, `${where}.${name}`)
  })
  return [...absent, ...wrong]
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
