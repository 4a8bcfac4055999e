import Box from "../islands/Box.tsx";
import { define } from "../define.ts";

const shared = { s: 1 };

export default define.page(({ url }) => {
  switch (url.searchParams.get("k")) {
    case "fn":
      return <Box v={() => 1} />;
    case "xss":
      return <Box v="</script><!-- <script>alert(1)</script>" />;
    case "two":
      return (
        <>
          <Box v={shared} />
          <Box v={[shared, undefined, null]} />
        </>
      );
    case "undef":
      return <Box v={undefined} />;
    default:
      return <Box v={1} />;
  }
});
