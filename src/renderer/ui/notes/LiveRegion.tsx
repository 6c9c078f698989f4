import type { ReactNode } from 'react'

/**
 * Text that only screen readers get, as soon as it changes. Keep it present: a region that is added with its text is
 * not read aloud.
 */
export function LiveRegion(props: { readonly label?: string; readonly children: ReactNode }) {
  return (
    // An open dialog hides all other elements but those with aria-live: a role alone is not enough.
    <p className="unseen" role="status" aria-live="polite" aria-label={props.label}>
      {props.children}
    </p>
  )
}
