import { createContext, type ReactNode, useContext } from 'react'
import type { Highlighter } from './highlighter'
import type { Formulas } from './math/formulas'

/** Services of the app window that texts use. */
export interface TextServices {
  /** Opens a link; called only after a click. */
  openLink(url: string): void
  /** Absent where code stays plain. */
  readonly highlighter?: Highlighter
  /** Absent where formulas stay as their source. */
  readonly formulas?: Formulas
}

const ServicesContext = createContext<TextServices>({ openLink: () => undefined })

/** Provider of the services for all texts below it. */
export function TextServicesProvider(props: {
  readonly value: TextServices
  readonly children: ReactNode
}) {
  return <ServicesContext value={props.value}>{props.children}</ServicesContext>
}

/** Returns the services of the app window; without a provider, ones that do nothing. */
export function useTextServices(): TextServices {
  return useContext(ServicesContext)
}
