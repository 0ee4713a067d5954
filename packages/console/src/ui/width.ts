/** How wide an element is, in pixels: what is drawn to that width keeps its texts in one size. */
import { useEffect, useRef, useState } from 'react';

export function useWidth<Of extends Element>(before: number) {
  const element = useRef<Of>(null);
  const [width, setWidth] = useState(before);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) =>
      setWidth(Math.round(entry?.contentRect.width ?? before)),
    );
    if (element.current !== null) observer.observe(element.current);
    return () => observer.disconnect();
  }, [before]);
  return { element, width: Math.max(width, 1) };
}
