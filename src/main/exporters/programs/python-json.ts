import { wellFormed } from '../../../shared/model/basics/well-formed'

/**
 * Writes JSON as Python's `json.dumps` does by default: a space after commas and colons, and nothing but ASCII.
 * Halves of characters become U+FFFD. For values that came out of JSON.
 */
export function pythonJson(value: unknown): string {
  if (typeof value === 'string') return pythonText(value)
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields.map(([key, field]) => `${pythonText(key)}: ${pythonJson(field)}`).join(', ')}}`
}

function pythonText(text: string): string {
  return JSON.stringify(wellFormed(text)).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
