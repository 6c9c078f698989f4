import type { ModelInfo } from '../../shared/model/settings/model-info'
import { formatCount, formatQuantity } from '../ui/format/format'

/** Formats an amount of US dollars: "$1.37", "$0.0021", "less than $0.0001", "$0". */
export function formatDollars(amount: number): string {
  if (amount === 0) return '$0'
  if (amount < 0.0001) return 'less than $0.0001'
  if (amount >= 1000) return `$${formatCount(Math.round(amount))}`
  if (amount >= 0.1) return `$${amount.toFixed(2)}`
  // Two significant digits: a short answer of a cheap model costs a fraction of a cent.
  return `$${Number(amount.toPrecision(2))}`
}

/** Formats a number in a few characters: "812", "31.7k", "2.1M". */
export function formatShortCount(number: number): string {
  if (number < 1000) return String(Math.round(number))
  if (number < 999_950) return `${trimmed(number / 1000)}k`
  return `${trimmed(number / 1_000_000)}M`
}

function trimmed(number: number): string {
  return number >= 100 ? String(Math.round(number)) : String(Number(number.toFixed(1)))
}

/** Returns a model's context length and its price for a million tokens, as labels; unknown ones are left out. */
export function modelLabels({ contextLength, price }: ModelInfo): readonly string[] {
  return [
    ...(contextLength === undefined ? [] : [`${formatShortCount(contextLength)} context`]),
    ...(price === undefined ? [] : [priceWords(price.input, price.output)]),
  ]
}

function priceWords(input: number, output: number): string {
  if (input === 0 && output === 0) return 'free'
  return `${perMillion(input)} in, ${perMillion(output)} out per 1M`
}

function perMillion(price: number): string {
  return formatDollars(Number((price * 1_000_000).toPrecision(6)))
}

/** Formats the time since a fetch: "just now", "3 minutes ago", "5 hours ago", "12 days ago". */
export function formatAge(fetchedAtMs: number, nowMs: number): string {
  const minutes = Math.max(0, Math.round((nowMs - fetchedAtMs) / 60_000))
  if (minutes < 1) return 'just now'
  if (minutes < 60) return ago(minutes, 'minute')
  const hours = Math.round(minutes / 60)
  return hours < 48 ? ago(hours, 'hour') : ago(Math.round(hours / 24), 'day')
}

function ago(number: number, unit: string): string {
  return `${formatQuantity(number, unit)} ago`
}
