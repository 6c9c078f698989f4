import { parse, TomlError } from 'smol-toml'
import { AppError } from '../../../shared/model/basics/errors'
import { parseBaseUrl } from '../base/base-url'
import type { KeySpec } from '../config/key-spec'
import { tomlLiteral } from '../toml/toml'

/** Formats a value as people read and write it; see ConfigKind. */
export function formatSettingValue(spec: KeySpec<unknown>, value: unknown): string {
  if (spec.kind === 'list' && Array.isArray(value)) return value.join('\n')
  if (spec.kind === 'toml' || typeof value === 'object') return tomlLiteral(value)
  return String(value)
}

/**
 * Converts what a person wrote to TOML on one line.
 *
 * @throws AppError `bad-argument` with what the value must be
 */
export function tomlLiteralOfText(key: string, spec: KeySpec<unknown>, text: string): string {
  const value = parseSettingText(key, spec, text)
  const literal = tomlLiteral(value)
  return spec.isFraction && Number.isInteger(value) ? `${literal}.0` : literal
}

/**
 * Parses what a person wrote as the value of a key.
 *
 * @throws AppError `bad-argument` with what the value must be
 */
export function parseSettingText(key: string, spec: KeySpec<unknown>, text: string): unknown {
  const parsed = spec.schema.safeParse(valueIn(spec, text))
  if (!parsed.success) throw new AppError('bad-argument', `${key} must be ${spec.expected}.`)
  if (key === 'base_url') {
    const url = parseBaseUrl(text)
    if (!url.ok) throw new AppError('bad-argument', `${key} ${url.message}.`)
  }
  return parsed.data
}

/** Splits a list as people write it, one item a line. */
export function splitListText(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Undefined where the text is no value of this kind. */
function valueIn({ kind }: KeySpec<unknown>, text: string): unknown {
  const trimmed = text.trim()
  switch (kind) {
    case 'flag':
      return trimmed === 'true' ? true : trimmed === 'false' ? false : undefined
    case 'number':
      return trimmed === '' ? undefined : Number(trimmed)
    case 'list':
      return splitListText(text)
    case 'toml':
      return tomlIn(trimmed)
    case 'text':
      return trimmed
    case 'choice':
      return trimmed.startsWith('{') ? tomlIn(trimmed) : trimmed
  }
}

function tomlIn(text: string): unknown {
  try {
    const found = parse(`value = ${text}`)
    // What follows on a line of its own would be a second key.
    return Object.keys(found).length === 1 ? found.value : undefined
  } catch (error) {
    if (error instanceof TomlError) return undefined
    throw error
  }
}
