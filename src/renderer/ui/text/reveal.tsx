import { createContext, type ReactNode, useContext, useMemo } from 'react'

/** Tells how far into a text somebody has to see to find what they came for; 0 when it holds none of it. */
export type Reveal = (text: string) => number

const RevealContext = createContext<Reveal | undefined>(undefined)

/** Makes the long texts below show at least what is looked for in them. */
export function RevealProvider(props: {
  readonly value: Reveal | undefined
  readonly children: ReactNode
}) {
  return <RevealContext value={props.value}>{props.children}</RevealContext>
}

/** Characters of a text that must not be cut off, because somebody came here for them. */
export function useRevealed(text: string): number {
  const reveal = useContext(RevealContext)
  return useMemo(() => reveal?.(text) ?? 0, [reveal, text])
}
