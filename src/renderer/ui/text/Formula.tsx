import { createElement, memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { formulaSource } from '../../../shared/model/basics/formulas'
import { visibleText } from '../../../shared/model/basics/visible'
import type { FormulaNode } from './math/markup-tree'
import { useTextServices } from './text-services'

/** Pause of a text that grows after which its formulas are typeset. */
const restMs = 100

/**
 * Formula of a text: its source until it is typeset, and for good where it is no TeX. The source stays in the text, so
 * that it is what is copied and found; only the drawing is seen.
 */
export const Formula = memo(function Formula(props: {
  readonly source: string
  /** True for a block of its own in the text. */
  readonly isBlock?: boolean
}) {
  const { source, isBlock = false } = props
  const nodes = useTypeset(source)
  const { isDisplay } = useMemo(() => formulaSource(source), [source])
  const shown = visibleText(source)
  if (nodes === undefined)
    return isBlock ? (
      <p className="formula-plain" dir="ltr">
        {shown}
      </p>
    ) : (
      shown
    )
  return <FormulaBox source={shown} nodes={nodes} isDisplay={isDisplay} />
})

interface DrawnProps {
  readonly source: string
  readonly nodes: readonly FormulaNode[]
}

/**
 * A formula in its line, or on one of its own. One that is too wide for the text has a line of its own and scrolls, by keyboard
 * too, so that none of it is cut off.
 */
function FormulaBox({ source, nodes, isDisplay }: DrawnProps & { readonly isDisplay: boolean }) {
  const box = useRef<HTMLSpanElement>(null)
  const [isWide, setWide] = useState(false)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const watch = new ResizeObserver(() => setWide(isCut(element)))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return (
    <span
      ref={box}
      className={isDisplay || isWide ? 'formula display' : 'formula'}
      dir="ltr"
      title={source}
      {...(isWide ? { tabIndex: 0, role: 'group', 'aria-label': 'Formula' } : {})}
    >
      <Drawn source={source} nodes={nodes} />
    </span>
  )
}

/** Tells whether a formula is wider than its box: in a line by what is drawn, since letters may hang over. Reads the layout. */
function isCut(box: Element): boolean {
  const isScroller = box.classList.contains('display')
  const drawn = box.querySelector('.formula-drawn')?.getBoundingClientRect().width ?? 0
  return (isScroller ? box.scrollWidth : drawn) > box.clientWidth + 1
}

function Drawn({ source, nodes }: DrawnProps) {
  const elements = useMemo(() => nodes.map(elementOf), [nodes])
  return (
    <>
      <span className="formula-source" aria-hidden="true">
        {source}
      </span>
      <span className="formula-drawn">{elements}</span>
    </>
  )
}

/** Makes an element of a node; the lists of `markup-tree.ts` say what it may be. */
function elementOf(node: FormulaNode, key: number): ReactNode {
  if (typeof node === 'string') return visibleText(node)
  const { class: className, ...attributes } = node.attributes
  const style = Object.fromEntries(
    Object.entries(node.style).map(([name, value]) => [camelCase(name), value]),
  )
  return createElement(
    node.tag,
    { key, ...attributes, style, ...(className === undefined ? {} : { className }) },
    ...(node.children.length === 0 ? [] : [node.children.map(elementOf)]),
  )
}

function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Returns the typeset formula, once it is known. */
function useTypeset(source: string): readonly FormulaNode[] | undefined {
  const { formulas } = useTextServices()
  const wanted = useMemo(() => formulaSource(source), [source])
  const [late, setLate] = useState<{
    readonly of: string
    readonly nodes: readonly FormulaNode[] | undefined
  }>()
  const known = formulas?.known(wanted)
  useEffect(() => {
    if (formulas === undefined || known !== undefined) return
    let isWanted = true
    const timer = setTimeout(() => {
      void formulas.typeset(wanted).then((nodes) => {
        if (isWanted) setLate({ of: source, nodes })
      })
    }, restMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [formulas, source, wanted, known])
  return known ?? (late?.of === source ? late.nodes : undefined)
}
