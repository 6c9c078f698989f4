import { useApp, useLibraryState } from '../../state/context'

/** Returns the project of the open conversation; undefined where none is open, or it has none. */
export function useProjectHere(): string | undefined {
  const key = useApp(({ place }) => (place.type === 'conversation' ? place.key : undefined))
  return useLibraryState(
    ({ conversations }) => conversations.find((row) => row.key === key)?.project ?? undefined,
  )
}
