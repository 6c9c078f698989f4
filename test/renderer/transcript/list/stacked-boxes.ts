/** Element as far as the list looks at it: its children stand one below the other. */
export class Box {
  parentElement: Box | null = null
  undrawn: string | undefined
  isText = false
  isRoot = false
  /** Returns the top of the outermost one. */
  topOfRoot = () => 0

  readonly children: Box[]
  #ownHeight: number

  constructor(ownHeight: number, children: Box[]) {
    this.#ownHeight = ownHeight
    this.children = children
    for (const child of children) child.parentElement = this
  }

  get height(): number {
    return this.children.reduce((sum, { height }) => sum + height, this.#ownHeight)
  }

  set height(value: number) {
    this.#ownHeight += value - this.height
  }

  get offsetHeight(): number {
    return this.height
  }

  get isConnected(): boolean {
    return this.isRoot || this.parentElement?.isConnected === true
  }

  get previousElementSibling(): Box | null {
    const all = this.parentElement?.children ?? []
    return all[all.indexOf(this) - 1] ?? null
  }

  get top(): number {
    const { parentElement: parent } = this
    if (parent === null) return this.topOfRoot()
    const before = parent.children.slice(0, parent.children.indexOf(this))
    return before.reduce((sum, { height }) => sum + height, parent.top)
  }

  getBoundingClientRect() {
    return { top: this.top, bottom: this.top + this.height, height: this.height }
  }

  hasAttribute(name: string): boolean {
    return name === 'data-blocks' && this.isText
  }

  getAttribute(name: string): string | null {
    return name === 'data-undrawn' ? (this.undrawn ?? null) : null
  }

  contains(other: Box): boolean {
    return other === this || (other.parentElement !== null && this.contains(other.parentElement))
  }

  /** Finds texts of blocks: nobody asks for anything else. */
  querySelectorAll(_: '[data-blocks]'): readonly Box[] {
    return this.children.flatMap((child) => [
      ...(child.isText ? [child] : []),
      ...child.querySelectorAll(_),
    ])
  }

  replace(at: number, by: Box): void {
    const [old] = this.children.splice(at, 1, by)
    if (old !== undefined) old.parentElement = null
    by.parentElement = this
  }
}

/** Makes an element that has so many pixels of its own. */
export function box(height: number, children: Box[] = [], undrawn?: string): Box {
  const made = new Box(height, children)
  made.undrawn = undrawn
  return made
}
