import type { ReactNode } from 'react'

/** Part of a picture that is not read aloud: axes and lines, whose numbers the marks have in their names. */
export function Decoration(props: { readonly children: ReactNode }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of a picture takes no focus
  return <g aria-hidden="true">{props.children}</g>
}
