import type { LucideIcon } from 'lucide-react'
import { fold } from '../../../shared/model/basics/fold'
import type { ShownKeys } from '../../ui/controls/command-keys'

/** Something that is offered at the caret. */
export interface Offer {
  /** Unique in its list. */
  readonly id: string
  /** What is typed for it, with its sign. */
  readonly typed: string
  readonly about: string
  readonly icon: LucideIcon
  /** Other words by which it is found. */
  readonly words?: string | undefined
  readonly keys?: ShownKeys | undefined
  readonly take: () => void
  /**
   * Writes its whole name in the place of what was typed. Set for an act that takes the conversation away at once: such an offer is taken
   * by Enter only where its whole name is there, or where it was gone to by an arrow.
   */
  readonly complete?: (() => void) | undefined
}

/** Offers under one heading. */
export interface OfferGroup {
  readonly name: string
  readonly offers: readonly Offer[]
}

/** Characters from which on other words count: fewer would find half of everything. */
const shortestOtherWords = 3

/**
 * Finds the offers that begin with a query, then those that have a word that does; from three characters on a word of what they are
 * about counts too. All of them without a query. A message such as `/etc/hosts` is no offer's beginning.
 */
export function findOffers(groups: readonly OfferGroup[], query: string): readonly OfferGroup[] {
  const wanted = fold(query)
  return groups
    .map(({ name, offers }) => ({
      name,
      offers: offers
        .map((offer) => ({ offer, rank: rankOf(offer, wanted) }))
        .filter(({ rank }) => rank > 0)
        .sort((a, b) => b.rank - a.rank)
        .map(({ offer }) => offer),
    }))
    .filter(({ offers }) => offers.length > 0)
}

/**
 * Returns the index of the offer that a query names, in the order of the list: the one with just this name, else the first whose name
 * begins with it, and first of those the ones that leave the conversation where it is; -1 where there is none. What was found by other words is taken only where it is chosen.
 */
export function namedOffer(offers: readonly Offer[], query: string): number {
  const names = offers.map(({ typed }) => fold(typed.slice(1)))
  const wanted = fold(query)
  const exact = names.indexOf(wanted)
  if (exact >= 0) return exact
  const begins = names.flatMap((name, at) => (name.startsWith(wanted) ? [at] : []))
  return begins.find((at) => offers[at]?.complete === undefined) ?? begins[0] ?? -1
}

/** Returns true where a query is the whole name of an offer. */
export function isWholeName({ typed }: Offer, query: string): boolean {
  return fold(typed.slice(1)) === fold(query)
}

function rankOf({ typed, about, words = '' }: Offer, wanted: string): number {
  const name = fold(typed.slice(1))
  if (name.startsWith(wanted)) return 3
  if (beginsWord(name, wanted)) return 2
  if (wanted.length < shortestOtherWords) return 0
  return beginsWord(fold(`${about} ${words}`), wanted) ? 1 : 0
}

function beginsWord(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true
  return false
}
