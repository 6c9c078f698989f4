import { stringify } from 'smol-toml'
import { formatTomlKey } from './toml'

/**
 * Writes a value as TOML on one line.
 *
 * @throws Error for what TOML cannot hold: null, functions
 */
export function tomlLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlLiteral).join(', ')}]`
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const pairs = Object.entries(value).map(
      ([key, each]) => `${formatTomlKey([key])} = ${tomlLiteral(each)}`,
    )
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`
  }
  return stringify({ value }).trim().slice('value = '.length)
}
