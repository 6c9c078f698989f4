import { createContext, type ReactNode, useContext, useMemo } from 'react'

/** Function that returns how far into a text a reader must see, in UTF-16 units; 0 where the text has no match. */
export type Reveal = (text: string) => number

const RevealContext = createContext<Reveal | undefined>(undefined)

/** Provider of the part that long texts below it must show. */
export function RevealProvider(props: {
  readonly value: Reveal | undefined
  readonly children: ReactNode
}) {
  return <RevealContext value={props.value}>{props.children}</RevealContext>
}

/** Returns the characters of a text that must not be cut off, since a landing leads there. */
export function useRevealed(text: string): number {
  const reveal = useContext(RevealContext)
  return useMemo(() => reveal?.(text) ?? 0, [reveal, text])
}
