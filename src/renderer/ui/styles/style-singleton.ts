import { useEffect, useState } from 'react'

/**
 * Makes a component that adds styles to the page while at least one of it is drawn.
 *
 * Stands in for the package react-style-singleton, which the menus and dialogs of Radix use: that one writes a style
 * element, which the page's policy refuses. A sheet that a script makes is none (electron.vite.config.ts).
 */
export function styleSingleton(): (props: {
  readonly styles: string
  readonly dynamic?: boolean
}) => null {
  let users = 0
  let sheet: CSSStyleSheet | undefined

  function add(styles: string): void {
    users += 1
    if (sheet !== undefined) return
    sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }

  function remove(): void {
    users -= 1
    if (users > 0) return
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    sheet = undefined
  }

  // biome-ignore lint/correctness/noComponentHookFactories: it is what the package's makers call for, once for each module
  return function SharedStyles({ styles, dynamic = false }) {
    // As in the package: styles that change count only where they are said to.
    const [first] = useState(styles)
    const shown = dynamic ? styles : first
    useEffect(() => {
      add(shown)
      return remove
    }, [shown])
    return null
  }
}
