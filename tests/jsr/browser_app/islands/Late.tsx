import { useEffect, useState } from "react";

export default function Late() {
  const [isShown, setShown] = useState(false);
  useEffect(() => setShown(true), []);
  return isShown ? <em>late</em> : null;
}
