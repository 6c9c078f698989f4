import { createContext, type ReactNode, useContext } from 'react'
import type { Highlighter } from './highlighter'

/** What texts need from the window around them. */
export interface TextServices {
  /** Called after a click only. */
  openLink(url: string): void
  /** Absent where code stays plain. */
  readonly highlighter?: Highlighter
}

const ServicesContext = createContext<TextServices>({ openLink: () => undefined })

/** Gives the services to all texts below. */
export function TextServicesProvider(props: {
  readonly value: TextServices
  readonly children: ReactNode
}) {
  return <ServicesContext value={props.value}>{props.children}</ServicesContext>
}

/** The services of the window around. */
export function useTextServices(): TextServices {
  return useContext(ServicesContext)
}
